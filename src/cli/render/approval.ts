/** An approval in one line. */
import type { ApprovalReport } from '../../runtime/index.ts';
import { cell } from './cell.ts';
import { shortTime } from './time.ts';

type Approval = ApprovalReport['approvals'][number];

/** What a script needs of an approval: the digests of tools, of which there may be thousands, are in the file of approvals. */
export function approvalJson({ descriptors: _digests, parts: _parts, ...approval }: Approval): object {
  return approval;
}

/** `files: use of read_*, where path is /tmp/*, until 2026-06-01 00:00 (/home/me/.trestle/servers.json)`. */
export function describeApproval(approval: Approval): string {
  const { server, kind, tools, arguments: patterns, expiresAt, file } = approval;
  const what = kind === 'connect' ? 'start and connection' : tools === undefined ? 'use' : `use of ${tools.join(', ')}`;
  const where = Object.entries(patterns ?? {}).map(([name, glob]) => `${name} is ${glob}`);
  const parts = [
    `${server}: ${what}`,
    ...(where.length === 0 ? [] : [`where ${where.join(' and ')}`]),
    ...(expiresAt === undefined ? [] : [`until ${shortTime(expiresAt)}`]),
  ];
  return cell(`${parts.join(', ')}${file === null ? '' : ` (${file})`}`, 1_000);
}
