/** `prompt`: one prompt, filled with its arguments. */
import { isObject, type JsonValue } from '../../base/index.ts';
import { promptBlocks } from '../../policy/index.ts';
import { type Failed, hasValue } from '../../runtime/index.ts';
import { type Pair, readPairs } from '../call-arguments.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { checkDestination, deliverShown, deliverWhole, wholeFlags } from '../deliver.ts';
import { exitCodes } from '../exit-codes.ts';
import { requestFlags, usage } from '../flags.ts';
import { printFailed, withHint } from '../report.ts';
import { withProgress } from '../request.ts';
import { withSuggestion } from '../suggest.ts';
import { readTarget } from '../target.ts';
import { commandLine, correctedCommand } from '../typed-command.ts';

const flags = {
  ...wholeFlags,
  ...requestFlags,
} as const;

export const prompt = defineCommand({
  name: 'prompt',
  summary: 'Gets a prompt of a server, filled with its arguments: each message under its role.',
  usage: [
    'prompt <server> <prompt> [key=value]… [-o FILE]',
    'prompt <url> <prompt> [key=value]…',
    'prompt <prompt> [key=value]… -- command args…',
  ],
  flags,
  words: ['server', 'prompt', 'prompt-arguments'],
  json: 'Print { description, messages } as the server sent them; a failure as { error, kind, execution }.',
  details: ['Arguments are text, as the protocol has them.'],
  examples: ['prompt everything args-prompt city=Bern', 'prompt everything simple-prompt --json'],
  async run(context, words) {
    const { target, words: after } = readTarget(words);
    const [name, ...pairWords] = after;
    if (name === undefined) {
      throw usage(
        "The prompt's name is missing.",
        target.kind === 'named' ? `See its prompts: ${commandLine(context.typed, 'prompts', target.name)}` : undefined,
      );
    }
    const { output } = context;
    const { flags } = words;
    const pairs = textPairs(context, readPairs(pairWords));
    const whole = flags.full || flags.output !== undefined || output.json;
    checkDestination(context, flags);
    const runtime = context.runtime();
    const outcome = await withProgress(context, { target, limits: flags }, (request) =>
      runtime.getPrompt({
        ...request,
        prompt: name.text,
        arguments: Object.fromEntries(pairs.map(({ key, text }) => [key, text])),
        present: !whole,
      }),
    );
    if (!hasValue(outcome)) {
      const failed = correctArguments(context, outcome, pairs);
      return printFailed(withSuggestion(failed, { runtime, typed: context.typed, target, prompt: name }), output);
    }
    const { description, messages, shown } = outcome.value;
    if (whole) {
      await deliverWhole(context, {
        json: { ...(description === undefined ? {} : { description }), messages },
        blocks: () => promptBlocks(messages),
        bytes: () => undefined,
        file: () => undefined,
        redact: (text) => runtime.redact(text),
        flags,
      });
    } else await deliverShown(output, shown);
    for (const note of outcome.notes) output.note(note);
    return exitCodes.ok;
  },
});

/** Refuses what is no text, and a key that is given twice. */
function textPairs(context: CommandContext, pairs: readonly Pair[]): readonly Pair[] {
  const json = pairs.find((pair) => pair.json);
  if (json !== undefined) {
    const corrected = correctedCommand(context.typed, [{ at: json.at, words: [`${json.key}=${json.text}`] }]);
    throw usage(`The arguments of a prompt are text: ${json.key} cannot be given as JSON.`, `Try: ${corrected}`);
  }
  const twice = pairs.find(({ key }, index) => pairs.findIndex((other) => other.key === key) !== index);
  if (twice === undefined) return pairs;
  const corrected = correctedCommand(context.typed, [{ at: twice.at, words: [] }]);
  throw usage(`${twice.key} is given twice.`, `Try: ${corrected}`);
}

/** A refusal of arguments gets the user's own command: a misspelt name put right, what is missing added. */
function correctArguments({ typed }: CommandContext, failed: Failed, pairs: readonly Pair[]): Failed {
  const { missing, misspelt, example } = failed.failure.details ?? {};
  if (!Array.isArray(missing) || !isObject(misspelt) || !isObject(example)) return failed;
  const corrections = pairs
    .filter(({ key }) => Object.hasOwn(misspelt, key))
    .map(({ at, key, text }) => ({ at, words: [`${textOf(misspelt[key])}=${text}`] }));
  const added = (missing as readonly string[]).map((key) => `${key}=${textOf(example[key])}`);
  return withHint(failed, `Try: ${correctedCommand(typed, corrections, added)}`);
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
