/** What somebody pasted behind `add`: as an argument, on standard input, or as another tool's command line. */
import { shellQuote } from '../base/index.ts';
import {
  beginsLikeLine,
  isPaste,
  nameOfAddress,
  nameOfCommand,
  type PastedServer,
  readPaste,
} from '../config/index.ts';
import type { CommandContext } from './command.ts';
import { usage, type Word } from './flags.ts';
import { isUrl } from './target.ts';

/** A pasted server that has its name. */
export interface NamedPaste extends PastedServer {
  readonly name: string;
}

/** The pasted servers; undefined where the words of `add` are no paste. Throws `usage`, `config_entry_invalid`. */
export async function pastedServers(
  context: CommandContext,
  words: readonly Word[],
  rest: readonly string[] | undefined,
): Promise<readonly NamedPaste[] | undefined> {
  const { name, text } = (await pasteIn(context, words, rest)) ?? {};
  if (text === undefined) return undefined;
  const servers = await readPaste(text, context.surroundings.platform);
  if (name !== undefined && servers.length > 1) {
    throw usage(
      `${servers.length} servers were given, and one name for them.`,
      'Leave the name out: they have their own.',
    );
  }
  return servers.map((server) => ({ ...server, name: name ?? server.name ?? derivedName(server) }));
}

interface Paste {
  readonly name: string | undefined;
  readonly text: string;
}

async function pasteIn(
  context: CommandContext,
  words: readonly Word[],
  rest: readonly string[] | undefined,
): Promise<Paste | undefined> {
  const [first, second, ...others] = words.map(({ text }) => text);
  if (rest !== undefined) {
    return first === undefined && beginsLikeLine(rest)
      ? { name: undefined, text: rest.map(shellQuote).join(' ') }
      : undefined;
  }
  if (first === undefined || others.length > 0) return undefined;
  const [name, text] = second === undefined ? [undefined, first] : [first, second];
  if (text === '-') return { name, text: new TextDecoder().decode(await context.surroundings.readInput()) };
  // No name has a blank in it: what is no paste that is known is told as that.
  const isNoName = name === undefined && (isUrl(text) || /\s/.test(text.trim()));
  return isNoName || isPaste(text) ? { name, text } : undefined;
}

/** By the address, or by what the command runs. */
function derivedName({ entry }: PastedServer): string {
  const { url, command, args } = entry;
  const items: readonly unknown[] = Array.isArray(args) ? args : [];
  const texts = items.filter((item) => typeof item === 'string');
  const name =
    typeof url === 'string'
      ? nameOfAddress(url)
      : typeof command === 'string'
        ? nameOfCommand(command, texts)
        : undefined;
  if (name !== undefined) return name;
  throw usage('The new server has no name.', 'Give one first: trestle add NAME …');
}
