/** Characters in what a server says of itself that are removed where it is shown (C5): what a sync and `validate` report. */
import { isObject, type JsonObject, type JsonValue, plural } from '../../base/index.ts';
import { cleanLine, type HygieneKind, inspectText } from '../../policy/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';

/** What a server says of itself, live or stored. */
export interface SaidTexts {
  readonly instructions: string | undefined;
  readonly tools: readonly ToolDescriptor[] | undefined;
  readonly resources: readonly JsonObject[] | undefined;
  readonly resourceTemplates: readonly JsonObject[] | undefined;
  readonly prompts: readonly JsonObject[] | undefined;
}

/** One member that holds such characters. */
export interface HiddenText {
  readonly list: keyof SaidTexts;
  /** Place in its list; 0 for the instructions. */
  readonly index: number;
  readonly member: string;
  /** `description of tool "look"`, clean. */
  readonly subject: string;
  /** `2 tag characters, 1 control character`. */
  readonly what: string;
}

const nouns = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'resource template',
  prompts: 'prompt',
} as const;

const shownNameCharacters = 80;

const characters: Readonly<Record<HygieneKind, string>> = {
  'escape-sequence': 'terminal escape sequence',
  control: 'control character',
  'zero-width': 'zero-width character',
  bidi: 'bidirectional override',
  'tag-character': 'tag character',
  'half-character': 'half character',
};

/** Every member of every item that hides something, schemas and the names in them included; in the order of the lists. */
export function hiddenTexts(said: SaidTexts): readonly HiddenText[] {
  const found: HiddenText[] = [];
  const look = (place: Omit<HiddenText, 'what'>, value: JsonValue | undefined): void => {
    const counts = new Map<HygieneKind, number>();
    count(value, counts);
    if (counts.size === 0) return;
    const what = [...counts].map(([kind, times]) => plural(times, characters[kind])).join(', ');
    found.push({ ...place, what });
  };
  const instructions = {
    list: 'instructions',
    index: 0,
    member: 'instructions',
    subject: 'text of the instructions',
  } as const;
  look(instructions, said.instructions);
  for (const list of Object.keys(nouns) as readonly (keyof typeof nouns)[]) {
    for (const [index, item] of (said[list] ?? []).entries()) {
      const name = `${nouns[list]} "${cleanLine(nameOf(item), shownNameCharacters)}"`;
      for (const [member, value] of Object.entries(item)) {
        // A host's own notes, shown to nobody.
        if (member === '_meta') continue;
        look({ list, index, member, subject: `${cleanLine(member, shownNameCharacters)} of ${name}` }, value);
      }
    }
  }
  return found;
}

/** Counts in every text of `value`, member names included. Nothing here is deeper than a message may be. */
function count(value: JsonValue | undefined, counts: Map<HygieneKind, number>): void {
  const waiting: (JsonValue | undefined)[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      for (const { kind, count: times } of inspectText(next)) counts.set(kind, (counts.get(kind) ?? 0) + times);
    } else if (Array.isArray(next)) {
      for (const item of next as readonly JsonValue[]) waiting.push(item);
    } else if (isObject(next)) {
      for (const [name, member] of Object.entries(next)) waiting.push(name, member);
    }
  }
}

function nameOf(item: JsonObject | ToolDescriptor): string {
  const name = item['name'] ?? item['uri'] ?? item['uriTemplate'];
  return typeof name === 'string' ? name : '?';
}
