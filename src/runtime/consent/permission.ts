/** Whether a person has allowed what is asked for. Where nothing has to be asked, nothing is looked at. */
import { canonicalJson, sha256Hex, shellQuote, TrestleError } from '../../base/index.ts';
import { type Definition, type DefinitionSource, definedIn, type Settings } from '../../config/index.ts';
import { type Approval, exactGlob, judgeTool, saysDestructive, type Wanted } from '../../policy/index.ts';
import { descriptorDigest } from '../../registry/index.ts';
import type { Core } from '../core.ts';
import { isConfigured } from '../servers/is-configured.ts';
import { questionTexts } from './question-texts.ts';
import type { Question } from './question.ts';
import type { Subject } from './questions.ts';
import { verdictOf } from './trust.ts';
import type { Need, Reason, Wish } from './wish.ts';

/** Up to which kind of question a request was allowed once; undefined for one that nobody had to allow, or that is approved. */
export type AllowedOnce = Wanted['kind'] | undefined;

const ranks: Readonly<Record<Wanted['kind'], number>> = { connect: 1, use: 2, call: 3 };

/**
 * Throws `approval_needed`, whose `details.question` is the question, where a person has to be asked first. `already`: what the
 * same request was allowed before it was known in full.
 */
export function permit(core: Core, wish: Wish, already?: AllowedOnce): AllowedOnce {
  let allowed = already;
  // A yes for one reason is none for the next: a server may be used once, and its tool ask for itself.
  for (const reason of reasonsToAsk(core, wish)) {
    if (!reaches(allowed, reason)) allowed = permitFor(core, wish, reason) ?? allowed;
  }
  return allowed;
}

/** What was allowed once for this reason; undefined for what is approved. Throws `approval_needed`. */
function permitFor(core: Core, wish: Wish, reason: Reason): AllowedOnce {
  const scope = wish.scope ?? core.scope;
  const wanted = wantedOf(core, wish, reason.kind);
  if (core.approvals.isApproved(wanted, scope)) return undefined;
  const binding = bindingOf(wanted, wish.need);
  const once = core.questions.takeOnce({ scope, binding });
  if (reaches(once, reason)) return once;
  const voided = core.approvals.voided(wanted, scope);
  // Of a server that is approved only what has changed is asked about.
  const asked: Reason = voided === undefined ? reason : { ...reason, kind: 'call' };
  const descriptor = wish.need.kind === 'call' ? wish.need.descriptor : undefined;
  const subject = {
    wanted: { ...wanted, kind: asked.kind },
    scope,
    binding,
    descriptor,
    registryName: wish.definition.registryName,
  };
  throw askFirst(core, { wish, subject, reason: asked, voided });
}

/** Whether a person has to be asked, unless they have approved it. */
export function needsPerson(core: Core, wish: Wish): boolean {
  return reasonsToAsk(core, wish).length > 0;
}

function reaches(allowed: AllowedOnce, reason: Reason): boolean {
  return allowed !== undefined && ranks[allowed] >= ranks[reason.kind];
}

/** Who but the user asks for a server, by where its definition stands. */
const askedBy: Readonly<Record<DefinitionSource['shape'], string>> = {
  mcpServers: 'a project asks for this server',
  mcp: 'a project asks for this server',
  environment: 'a variable names this server',
  registry: 'it stands in the registry but in no configuration',
  'ad-hoc': 'no configuration names this address',
};

/** Each reason for which a person has to be asked, in the order of being asked. */
function reasonsToAsk(core: Core, { definition, need, caller, scope }: Wish): readonly Reason[] {
  const settings = core.settings();
  const consent = need.kind !== 'connect' && settings.requireConsent;
  // First of all: what a tool's rule asks says nothing of what is started for it.
  const rule = whyNotOwn(core, definition, { caller: caller ?? core.caller, scope: scope ?? core.scope });
  const start: readonly Reason[] = rule === undefined ? [] : [{ kind: consent ? 'use' : 'connect', rule }];
  const asking = need.kind === 'call' ? whyToolAsks(core, { settings, definition, need }) : undefined;
  if (asking !== undefined) return [...start, { kind: 'call', rule: asking }];
  if (start.length > 0 || !consent) return start;
  return [{ kind: 'use', rule: `requireConsent in ${core.places.settingsFile}` }];
}

/** Who asks for a server that is not the user's own, and that nobody has approved. */
function whyNotOwn(core: Core, definition: Definition, by: Parameters<typeof verdictOf>[2]): string | undefined {
  const { scope, shape } = definition.source;
  if (scope !== 'project') return undefined;
  const verdict = verdictOf(core, definition, by);
  if (verdict === 'approved') return undefined;
  const changed = verdict === 'changed since approval' ? ', and its entry has changed since it was approved' : '';
  return `${askedBy[shape]}${changed}`;
}

interface ToolWish {
  readonly settings: Settings;
  readonly definition: Definition;
  readonly need: Need & { kind: 'call' };
}

/** The rule by which a tool asks for itself. */
function whyToolAsks(core: Core, { settings, definition, need }: ToolWish): string | undefined {
  const { tools, source } = definition;
  const { tool, descriptor, isFinal = false } = need;
  const verdict = judgeTool(tools, descriptor?.name ?? tool);
  if (verdict.kind === 'ask') return `${verdict.rule}, in ${definedIn(source) ?? 'its definition'}`;
  if (settings.destructiveTools !== 'ask') return undefined;
  const why = saysDestructive(descriptor?.annotations)
    ? 'it says that it may destroy something'
    : descriptor === undefined && isFinal
      ? 'nothing is known of this tool'
      : undefined;
  return why === undefined ? undefined : `destructiveTools in ${core.places.settingsFile}, and ${why}`;
}

/** What of a wish an approval has to cover. */
export function wantedOf(
  core: Core,
  { definition, caller = core.caller, need }: Omit<Wish, 'scope'>,
  kind: Wanted['kind'],
): Wanted {
  const { name, source } = definition;
  const server = { server: name, file: source.file ?? null, identity: core.identityOf(definition, caller) };
  if (kind === 'connect' || need.kind !== 'call') return { kind, ...server };
  const { tool, arguments: args, descriptor } = need;
  return {
    kind,
    ...server,
    tool: descriptor?.name ?? tool,
    arguments: args,
    ...(descriptor === undefined ? {} : { descriptor: descriptorDigest(descriptor) }),
  };
}

/** The same text for the same request to the same server. */
function bindingOf({ server, file, identity }: Wanted, need: Need): string {
  const asked = need.kind === 'call' ? ['call', need.tool, need.arguments] : need.kind === 'use' ? [need.what] : [];
  return sha256Hex(canonicalJson([server, file, identity, ...asked]));
}

interface Refused {
  readonly wish: Wish;
  readonly subject: Subject;
  readonly reason: Reason;
  readonly voided: Approval | undefined;
}

function askFirst(core: Core, { wish, subject, reason, voided }: Refused): TrestleError {
  const { definition, need } = wish;
  const damage = core.approvals.problem();
  const problem = damage === undefined ? [] : [`${damage}.`];
  const redact = (text: string): string => core.redactor.redactOwn(text);
  const question = core.questions.ask(subject, questionTexts({ definition, need, reason, voided, redact }));
  return new TrestleError({
    code: 'approval_needed',
    message: `A person has to approve ${subjectOf(question)} first: ${reason.rule}.`,
    // What is to be pasted stands last.
    hint: [...problem, hintOf(core, wish, `Approve it: ${approveCommand(question, subject.wanted)}`)].join(' '),
    server: definition.name,
    execution: 'not-sent',
    details: { question },
  });
}

/** What was named by a path or an address, and stands in no configuration, is approved by adding it. */
function hintOf(core: Core, { definition, caller, scope }: Wish, approving: string): string {
  const { name, source } = definition;
  if (source.scope === 'ad-hoc') return 'Add it under a name first, so that it can be approved: trestle add NAME …';
  if (isConfigured(core, definition, { caller, scope })) return approving;
  return `Ask the user to look at it and to add it: trestle add ${source.shape === 'ad-hoc' ? 'NAME --url URL' : `${name} …`}`;
}

function subjectOf({ kind, server }: Question): string {
  return kind === 'call' ? `this call of ${server}` : server;
}

/** The command that gives the same yes for good. */
function approveCommand({ kind, server }: Question, { tool = '' }: Wanted): string {
  if (kind === 'connect') return `trestle approve ${server} --connect`;
  return kind === 'use'
    ? `trestle approve ${server}`
    : `trestle approve ${server} --tool ${shellQuote(exactGlob(tool))}`;
}
