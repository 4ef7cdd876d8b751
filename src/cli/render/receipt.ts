/** The receipt of the block: what it costs, how each server is shown, what was left out, and why. */
import { plural } from '../../base/index.ts';
import type { ContextReport } from '../../runtime/index.ts';
import type { Output } from '../output.ts';
import { cell } from './cell.ts';
import { renderTable } from './table.ts';

type Shown = ContextReport['receipt']['servers'][number];

export function receiptLines(
  report: ContextReport,
  inlinedTokens: number,
  { pasteable }: Pick<Output, 'pasteable'>,
): readonly string[] {
  const { receipt } = report;
  const rows = [
    ...receipt.servers.map(shownRow),
    ...receipt.notOffered.map(({ server, why }) => leftOutRow(server, pasteable(why))),
  ];
  return [
    blockLine(report, inlinedTokens),
    ...receipt.why,
    ...(rows.length > 0 ? [''] : []),
    ...renderTable(rows, Infinity),
  ];
}

/** `Shown to a model: 910 of 4000 tokens (block 1a2b3c4d); all descriptors: about 12300.` */
export function blockLine({ hash, tokens, receipt }: ContextReport, inlinedTokens: number): string {
  const share = `${tokens} of ${plural(receipt.budgetTokens, 'token')}`;
  const block = hash === '' ? 'no block' : `block ${hash}`;
  return `Shown to a model: ${share} (${block}); all descriptors: about ${inlinedTokens}.`;
}

function shownRow({ server, tools, rung, namesShown, aboutTokens, leftOut }: Shown): readonly string[] {
  const listed = rung === 'counts' && namesShown > 0 ? `counts, ${plural(namesShown, 'name')}` : rungText(rung);
  return [
    cell(server),
    plural(tools, 'tool'),
    listed,
    rung === undefined ? '' : `about ${plural(aboutTokens, 'token')}`,
    leftOut.length === 0 ? '' : `without ${leftOut.join(', ')}`,
  ];
}

function rungText(rung: Shown['rung']): string {
  if (rung === undefined) return 'not shown';
  return rung === '80' || rung === '40' ? `${rung} characters` : rung;
}

function leftOutRow(server: string, why: string): readonly string[] {
  return [cell(server), '', 'not offered', '', cell(why)];
}
