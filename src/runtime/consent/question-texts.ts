/** The words of a question. */
import { limits, shellQuote, shorten, stringifyJson } from '../../base/index.ts';
import { type Definition, definedIn, referencedSecrets, referencedVariables } from '../../config/index.ts';
import { type Approval, cleanLine, type Wanted } from '../../policy/index.ts';
import { partDigests, partsThatDiffer, type ToolDescriptor } from '../../registry/index.ts';
import { recordedTransport } from '../sync/recorded-transport.ts';
import type { Choice, QuestionFact, QuestionTexts } from './question.ts';
import type { Need, Reason } from './wish.ts';

export interface Asking {
  readonly definition: Definition;
  readonly need: Need;
  readonly reason: Reason;
  /** The approval that a change of the tool has voided. */
  readonly voided: Approval | undefined;
  readonly redact: Redact;
}

/** Replaces known secrets. */
type Redact = (text: string) => string;

/** The words of a question about something that is wanted now. */
export function questionTexts(asking: Asking): QuestionTexts {
  const { definition, need, reason, redact } = asking;
  const { kind } = reason;
  const tool = need.kind === 'call' ? toolName(need) : '';
  return {
    kind,
    server: definition.name,
    title: titleOf(kind, definition, tool),
    facts: shownFacts(
      [...toolFacts(asking), ...serverFacts(definition, redact), { label: 'Asked because of', value: reason.rule }],
      redact,
    ),
    covers: coveredBy(kind, definition),
    choices: kind === 'connect' ? choices.filter(({ id }) => id !== 'once') : choices,
  };
}

/** The words of an approval that is given unasked. */
export function approvalTexts(given: {
  readonly definition: Definition;
  readonly approval: Approval;
  readonly redact: Redact;
}): QuestionTexts {
  const { definition, approval, redact } = given;
  const { tools, arguments: patterns, expiresAt } = approval;
  const kind = tools === undefined ? approval.kind : 'call';
  const facts = [
    ...(tools === undefined ? [] : [{ label: 'Tools', value: tools.join(', ') }]),
    ...Object.entries(patterns ?? {}).map(([name, glob]) => ({ label: `Argument ${name}`, value: glob })),
    ...serverFacts(definition, redact),
    ...(expiresAt === undefined ? [] : [{ label: 'Until', value: expiresAt }]),
  ];
  return {
    kind,
    server: definition.name,
    title: titleOf(kind, definition, (tools ?? []).join(', ')),
    facts: shownFacts(facts, redact),
    covers: tools === undefined ? coveredBy(kind, definition) : coveredTools,
    choices: choices.filter(({ id }) => id === 'always' || id === 'no'),
  };
}

function shownFacts(facts: readonly QuestionFact[], redact: Redact): readonly QuestionFact[] {
  return facts.map(({ label, value }) => ({
    label: cleanLine(redact(label), limits.shownNameCharacters),
    value: shownValue(cleanLine(redact(value), Infinity), wholeFacts.has(label)),
  }));
}

/** What is started or connected to: a person cannot say yes to what they do not see. */
const wholeFacts: ReadonlySet<string> = new Set(['Command', 'URL', 'Host', 'Folder', 'Defined in']);

/** What is left out is counted: a cut that looks like an end would hide what matters behind what does not. */
function shownValue(value: string, isWhole: boolean): string {
  const most = isWhole ? limits.questionEntryCharacters : limits.questionFactCharacters;
  if (value.length <= most) return value;
  const shown = shorten(value, most);
  return `${shown} (${value.length - shown.length + 1} more characters are not shown)`;
}

const choices: readonly Choice[] = [
  { id: 'once', label: 'Yes, this once' },
  { id: 'session', label: 'Yes, for this session' },
  { id: 'always', label: 'Yes, always' },
  { id: 'no', label: 'No' },
];

function titleOf(kind: Wanted['kind'], { name, transport }: Definition, tool: string): string {
  if (kind === 'call') return cleanLine(`Call ${name}/${tool}?`, limits.questionFactCharacters);
  if (kind === 'use') return `Use the server ${name}?`;
  return transport.kind === 'stdio' ? `Start the server ${name}?` : `Connect to the server ${name}?`;
}

/** What a yes covers, and what it does not. */
function coveredBy(kind: Wanted['kind'], { transport }: Definition): string {
  if (kind !== 'connect') return covered[kind];
  return transport.kind === 'stdio' ? covered.start : covered.connect;
}

const covered: Readonly<Record<Wanted['kind'] | 'start', string>> = {
  start:
    'A yes covers this entry as it stands: this program is started, and its tools are read. It does not cover the scripts and ' +
    'packages that the program loads: they may change without another question.',
  connect:
    'A yes covers this entry as it stands: this address is connected to, and its tools are read. It does not cover what stands ' +
    'behind the address: that may change without another question.',
  use:
    'A yes covers this entry and its tools as they are described now: calls, lists and reads, and what starts it. ' +
    'It does not cover the scripts and packages that its program loads, nor tools that ask for themselves.',
  call:
    '"This once" covers this call with these arguments; the other answers cover this tool as it is described now, with any arguments. ' +
    'It does not cover what the program behind it does.',
};

const coveredTools =
  'A yes covers calls of these tools as they are described now, also where they ask for themselves. It does not cover what the ' +
  'program behind them does.';

function toolFacts({ need, voided }: Asking): readonly QuestionFact[] {
  if (need.kind !== 'call') return [];
  const { descriptor } = need;
  return [
    { label: 'Tool', value: toolName(need) },
    { label: 'Arguments', value: stringifyJson(need.arguments) },
    ...describedAs(descriptor),
    ...(voided === undefined ? [] : [{ label: 'Changed', value: changeText(voided, descriptor) }]),
  ];
}

/** What is different from when it was approved. */
function changeText({ approvedAt, parts = {} }: Approval, descriptor: ToolDescriptor | undefined): string {
  const name = descriptor?.name ?? '';
  const before = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (before === undefined && Object.keys(parts).length > 0)
    return `it is new since the server was approved at ${approvedAt}`;
  const changed =
    before === undefined || descriptor === undefined ? [] : partsThatDiffer(before, partDigests(descriptor));
  return `${changed.length === 0 ? 'its description' : changed.join(', ')}, since it was approved at ${approvedAt}`;
}

function describedAs(descriptor: ToolDescriptor | undefined): readonly QuestionFact[] {
  const description = descriptor?.['description'];
  return typeof description === 'string' && description !== ''
    ? [{ label: 'The server says', value: description }]
    : [];
}

function toolName({ tool, descriptor }: Need & { readonly kind: 'call' }): string {
  return cleanLine(descriptor?.name ?? tool, limits.shownNameCharacters);
}

/** How the server is reached, as written; literal secrets are not shown. */
function serverFacts(definition: Definition, redact: Redact): readonly QuestionFact[] {
  const recorded = recordedTransport(definition.transport, redact);
  const from = { label: 'Defined in', value: definedIn(definition.source) ?? 'the command line' };
  if (recorded.kind === 'http') {
    return [
      from,
      { label: 'Host', value: hostOf(recorded.url) },
      { label: 'URL', value: recorded.url },
      ...names('Headers', recorded.headers),
      ...yours(definition),
    ];
  }
  return [
    from,
    { label: 'Command', value: [recorded.command, ...recorded.args].map(shellQuote).join(' ') },
    ...(recorded.cwd === undefined ? [] : [{ label: 'Folder', value: recorded.cwd }]),
    ...names('Variables', recorded.env),
    ...yours(definition),
  ];
}

/** What of the person's own it is given: the names that stand beside it in the entry may say anything. */
function yours(definition: Definition): readonly QuestionFact[] {
  return [
    ...listed('Gets your variables', referencedVariables(definition)),
    ...listed('Gets your secrets', referencedSecrets(definition)),
    ...listed('Signs in with', signsInWith(definition)),
  ];
}

/** How a server is signed in to, and the files that are read for it. */
function signsInWith({ auth }: Definition): readonly string[] {
  if (auth === undefined || auth.kind === 'none') return [];
  const files = [auth.values.privateKeyFile, auth.values.assertionFile, auth.values.idTokenFile];
  return [auth.kind, ...files.filter((file) => file !== undefined)];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'only known once its variables are';
}

function names(label: string, members: Readonly<Record<string, string>> = {}): readonly QuestionFact[] {
  return listed(label, Object.keys(members));
}

function listed(label: string, all: readonly string[]): readonly QuestionFact[] {
  return all.length === 0 ? [] : [{ label, value: all.join(', ') }];
}
