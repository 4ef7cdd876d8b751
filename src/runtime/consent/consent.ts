/** What a person says yes to: answers to questions, and approvals given and taken back unasked. */
import { type Scope, TrestleError } from '../../base/index.ts';
import { type Definition, projectRegistryName } from '../../config/index.ts';
import { type Approval, exactGlob } from '../../policy/index.ts';
import type { Core } from '../core.ts';
import { findServerToApprove } from '../servers/find-server.ts';
import type { Pins } from './approvals.ts';
import type { ApprovalReport, Approved, ApproveRequest, RevokeRequest } from './consent-report.ts';
import { wantedOf } from './permission.ts';
import { pinsOf } from './pins.ts';
import { approvalTexts } from './question-texts.ts';
import type { Answer } from './question.ts';
import type { Answered } from './questions.ts';

/** Does what was answered. Throws `unknown_question`, `usage`, and what keeping an approval throws. */
export async function answerQuestion(core: Core, answer: Answer): Promise<void> {
  const answered = core.questions.take(answer);
  const { choice, scope } = answered;
  if (choice === 'once') core.questions.allowOnce(answered);
  if (choice === 'session') core.approvals.addForSession(approvalOf(core, answered), scope);
  if (choice === 'always') await core.approvals.add(approvalOf(core, answered));
}

function approvalOf(core: Core, { wanted, registryName, descriptor }: Answered): Approval {
  const { kind, server, file, identity, tool } = wanted;
  const given = { server, file, identity, approvedAt: nowText(core) };
  if (kind === 'connect') return { ...given, kind };
  if (kind === 'use' || tool === undefined) return { ...given, kind: 'use', ...pinned(core, registryName) };
  return {
    ...given,
    kind: 'use',
    tools: [exactGlob(tool)],
    ...(descriptor === undefined ? {} : pinsOf([descriptor])),
  };
}

function pinned(core: Core, registryName: string): Pins {
  return pinsOf(core.registry.tools(registryName).value);
}

function nowText(core: Core): string {
  return new Date(core.clock.now()).toISOString();
}

/** Approves a server unasked, as a person's own command does. Throws what stands against using the server, and `file_error`. */
export async function approveServer(core: Core, request: ApproveRequest): Promise<Approved> {
  const definition = findServerToApprove(core, request.server, request);
  const { tools, arguments: patterns, expiresInMs, kind = 'use', caller = core.caller, seen, session } = request;
  if (
    tools?.length === 0 ||
    (tools === undefined && patterns !== undefined) ||
    (kind === 'connect' && tools !== undefined)
  ) {
    throw new TrestleError({
      code: 'usage',
      message: 'Arguments are approved for tools, and tools for use: name the tools.',
      server: definition.name,
    });
  }
  const server = wantedOf(core, { definition, caller, need: { kind: 'connect' } }, 'connect');
  if (seen !== undefined && (seen.file !== server.file || seen.identity !== server.identity))
    throw changedMeanwhile(definition);
  const approval: Approval = {
    server: server.server,
    file: server.file,
    identity: server.identity,
    kind,
    ...(tools === undefined ? {} : { tools }),
    ...(patterns === undefined ? {} : { arguments: patterns }),
    approvedAt: nowText(core),
    ...(expiresInMs === undefined ? {} : { expiresAt: new Date(core.clock.now() + expiresInMs).toISOString() }),
    ...(kind === 'use' ? pinned(core, definition.registryName) : {}),
  };
  const question = approvalTexts({ definition, approval, redact: (text) => core.redactor.redactOwn(text) });
  if (request.dryRun !== true) {
    if (session === undefined) await core.approvals.add(approval);
    else core.approvals.addForSession(approval, session);
  }
  return { question, approval };
}

/** Whoever can write the entry would else have something approved that nobody has looked at. */
function changedMeanwhile({ name }: Definition): TrestleError {
  return new TrestleError({
    code: 'denied',
    message: `The entry of ${name} was changed while you looked at it, so nothing was approved.`,
    hint: 'Look at it as it is now, and approve that.',
    server: name,
  });
}

/** Takes approvals back, those of sessions included, and ends the server's connections after their calls. Throws `file_error`, `locked`. */
export async function revokeApprovals(
  core: Core,
  { server, file, tools }: RevokeRequest,
): Promise<readonly Approval[]> {
  const gone = await core.approvals.remove(
    (approval) =>
      approval.server === server &&
      (file === undefined || approval.file === file) &&
      (tools === undefined || approval.tools?.some((glob) => tools.includes(glob)) === true),
  );
  for (const { file: where } of gone) {
    core.connections.retire(server);
    if (where !== null) core.connections.retire(projectRegistryName(server, where));
  }
  return gone;
}

export function approvalReport(core: Core, scope: Scope = core.scope): ApprovalReport {
  const { approvals } = core;
  return { approvals: approvals.list(), session: approvals.ofSession(scope), problem: approvals.problem() };
}
