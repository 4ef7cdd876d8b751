/** Which server a command is about: a configured name, or one given in place (nothing is stored of it). */
import { adHocDefinition, type Definition } from '../config/index.ts';
import { type ParsedWords, usage, type Word } from './flags.ts';

export type Target =
  | {
      readonly kind: 'named';
      readonly name: string;
      readonly at: number;
      /** Whether a URL could stand in its place. */
      readonly orUrl?: boolean;
    }
  | { readonly kind: 'ad-hoc'; readonly definition: Definition };

/** A target, and the words that are not part of it. */
export interface TargetedWords {
  readonly target: Target;
  readonly words: readonly Word[];
}

/** The target of `words`: `-- command args`, a URL, or a name. Throws `usage` when there is none or there are two. */
export function readTarget(parsed: Pick<ParsedWords<never>, 'words' | 'rest'>): TargetedWords {
  const { words, rest } = parsed;
  if (rest !== undefined) {
    const [command, ...args] = rest;
    if (command === undefined || command === '') throw usage('A command is missing after "--".');
    return { target: { kind: 'ad-hoc', definition: adHocDefinition({ command, args }) }, words };
  }
  const [first, ...others] = words;
  if (first === undefined) {
    throw usage("A server's name is missing.", 'Name a configured server, or give a URL, or `-- command args`.');
  }
  if (isUrl(first.text))
    return { target: { kind: 'ad-hoc', definition: adHocDefinition({ url: first.text }) }, words: others };
  return { target: { kind: 'named', name: first.text, at: first.at, orUrl: true }, words: others };
}

/** What the runtime takes as server. */
export function serverOf(target: Target): string | Definition {
  return target.kind === 'named' ? target.name : target.definition;
}

/** What a target is called in messages. */
export function labelOf(target: Target): string {
  return target.kind === 'named' ? target.name : target.definition.name;
}

/** Whether a word is a URL of a server rather than a name. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Refuses words that a command has no use for. */
export function refuseFurther(words: readonly Word[], after: string): void {
  const [extra] = words;
  if (extra === undefined) return;
  throw usage(
    `"${extra.text}" is one word too many: nothing is expected after ${after}.`,
    'Quote words that belong together; see --help.',
  );
}
