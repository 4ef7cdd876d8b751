/** `call`: one tool call. */
import { resolve } from 'node:path';
import {
  canonicalPathSync,
  isObject,
  type JsonObject,
  type JsonValue,
  serverNameProblem,
  isThereSync,
  stringifyJson,
} from '../../base/index.ts';
import { projectFiles } from '../../config/index.ts';
import { toBlocks } from '../../policy/index.ts';
import { openRegistry } from '../../registry/index.ts';
import { type CallValue, type Failed, hasValue, type Outcome, type Runtime } from '../../runtime/index.ts';
import {
  argumentsOf,
  argumentsText,
  correctPairs,
  guessPairs,
  guessArgument,
  type Pair,
  parseArguments,
  readPairs,
} from '../call-arguments.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FlagValues, type ParsedWords, requestFlags, usage, type Word } from '../flags.ts';
import { onlyBinary, soleBinary } from '../render/result.ts';
import { printFailed, withHint } from '../report.ts';
import { type RequestLimits, withProgress } from '../request.ts';
import { checkDestination, deliverShown, deliverWhole, wholeFlags } from '../deliver.ts';
import { folderOf } from '../known-names.ts';
import { toolMissingHint, withSuggestion } from '../suggest.ts';
import { readTarget, type Target } from '../target.ts';
import { correctedCommand } from '../typed-command.ts';

const flags = {
  args: {
    kind: 'text',
    value: 'JSON|@FILE|-',
    doc: 'All arguments as one JSON object: itself, from a file, or from standard input.',
  },
  ...wholeFlags,
  ...requestFlags,
} as const;

type CallWords = ParsedWords<typeof flags>;

export const call = defineCommand({
  name: 'call',
  summary: 'Calls a tool and prints its result, and nothing else, on standard output.',
  usage: [
    'call <server> <tool> [key=value | key:=json]…',
    "call <server> <tool> --args '{…}' | @FILE | -",
    'call <url> <tool> [key=value]…',
    'call <tool> [key=value]… -- command args…',
  ],
  flags,
  words: ['server', 'tool', 'arguments'],
  json: "Print the server's result object; a failure as { error, kind, execution }.",
  details: [
    "The tool's input schema decides how key=value is typed; key:=json is taken as JSON. A repeated key makes a list where\nthe schema wants one.",
    'Long results are cut where they are shown, and the whole is kept in a file. --full, --json and -o give all of it.',
    'An image, sound or file in the result is what -o saves; the text beside it is printed.',
  ],
  examples: [
    'call everything echo message=hello',
    'call everything get-sum a=2 b=3 --json',
    'call files read_file path=notes.txt -o notes.txt',
    'call echo message=hi -- npx -y @modelcontextprotocol/server-everything',
  ],
  guessFlag: guessArgument,
  async run(context, words) {
    const { target, words: after } = readTarget(words);
    const [tool, ...pairWords] = after;
    if (tool === undefined) {
      throw usage(
        "The tool's name is missing.",
        target.kind === 'named' ? toolMissingHint(context.runtime(), context.typed, target) : undefined,
      );
    }
    if (words.flags.args !== undefined && pairWords.length > 0) {
      throw usage(
        '--args gives all arguments; it cannot be mixed with key=value.',
        'Put the pair into the JSON, or leave --args out.',
      );
    }
    checkDestination(context, words.flags);
    const runtime = context.runtime();
    const asked = { context, runtime, target, tool, flags: words.flags };
    const pairs = readPairs(pairWords, () => guessPairs(context.typed, pairWords, storedSchema(asked) ?? true));
    const schema = pairs.some(({ json }) => !json) ? await schemaOf(asked) : { schema: true };
    if ('kind' in schema)
      return printFailed(withSuggestion(schema, { runtime, typed: context.typed, target, tool }), context.output);
    const args =
      words.flags.args === undefined
        ? argumentsOf(pairs, schema.schema)
        : await givenArguments(context, words.flags.args);
    const outcome = await withProgress(context, { target, limits: words.flags }, (request) =>
      runtime.call({ ...request, tool: tool.text, arguments: args, present: !wantsWhole(context, words.flags) }),
    );
    if (hasValue(outcome)) return printResult(context, runtime, { outcome, flags: words.flags });
    const failed = correctArguments(outcome, { context, words, pairs, args, schema: schema.schema });
    return printFailed(
      withSuggestion(failed, { runtime, typed: context.typed, target, tool }),
      context.output,
      'tool-call',
    );
  },
});

interface Asked {
  readonly context: CommandContext;
  readonly runtime: Runtime;
  readonly target: Target;
  readonly tool: Word;
  readonly flags: RequestLimits;
}

function storedSchema({ runtime, target, tool }: Pick<Asked, 'runtime' | 'target' | 'tool'>): JsonValue | undefined {
  if (target.kind !== 'named' || serverNameProblem(target.name) !== undefined) return undefined;
  return runtime.registry.tool(folderOf(runtime, target.name), tool.text).value?.inputSchema;
}

/**
 * The tool's input schema: from the registry, or from the server itself when it was given in place or never synced. Only
 * needed to type `key=value`.
 */
async function schemaOf({
  context,
  runtime,
  target,
  tool,
  flags,
}: Asked): Promise<{ readonly schema: JsonValue } | Failed> {
  if (target.kind === 'named') {
    const own = ownSchema(context, runtime, { target, tool });
    if (own !== undefined) return { schema: own };
    const { registry } = runtime;
    const folder = folderOf(runtime, target.name);
    const stored = registry.tool(folder, tool.text).value;
    if (stored !== undefined || registry.server(folder).value !== undefined)
      return { schema: stored?.inputSchema ?? true };
  }
  const outcome = await withProgress(context, { target, limits: flags }, (request) => runtime.inspect(request));
  if (!hasValue(outcome)) return outcome;
  const live = outcome.value.tools.find((candidate) => candidate['name'] === tool.text);
  return { schema: live?.['inputSchema'] ?? true };
}

/**
 * The input schema that the registry holds under the plain names. Where no project asks for servers they mean the user's own, and the
 * configuration need not be read for it, which a warm call would pay for; whether the tool may be called is not decided here.
 */
function ownSchema(
  { surroundings }: CommandContext,
  { places }: Runtime,
  { target, tool }: { readonly target: Target & { readonly kind: 'named' }; readonly tool: Word },
): JsonValue | undefined {
  if (serverNameProblem(target.name) !== undefined) return undefined;
  const { cwd, userHome } = surroundings;
  // Whatever cannot be looked at may be there.
  const asked = projectFiles({ ...places, cwd: canonicalPathSync(cwd), userHome }).some(({ path }) =>
    isThereSync(path, true),
  );
  return asked ? undefined : openRegistry(places.registryRoot).tool(target.name, tool.text).value?.inputSchema;
}

async function givenArguments(context: CommandContext, given: string): Promise<JsonObject> {
  const { surroundings } = context;
  return parseArguments(
    await argumentsText(given, {
      path: (name) => resolve(surroundings.cwd, name),
      input: () => surroundings.readInput(),
    }),
    given,
  );
}

interface Given {
  readonly context: CommandContext;
  readonly words: CallWords;
  readonly pairs: readonly Pair[];
  readonly args: JsonObject;
  readonly schema: JsonValue;
}

/** A refusal of arguments gets the user's own command with only the wrong ones replaced. */
function correctArguments(failed: Failed, { context, words, pairs, args, schema }: Given): Failed {
  const example = failed.failure.details?.['example'];
  if (failed.failure.code !== 'invalid_arguments' || !isObject(example)) return failed;
  const place = words.flagPlaces.get('args');
  if (place !== undefined) {
    const json = stringifyJson(example);
    const word = place.inline ? `--args=${json}` : json;
    return withHint(failed, `Try: ${correctedCommand(context.typed, [{ at: place.at, words: [word] }])}`);
  }
  const { corrections, added } = correctPairs(pairs, args, { corrected: example, schema });
  return withHint(failed, `Try: ${correctedCommand(context.typed, corrections, added)}`);
}

type CallFlags = FlagValues<typeof flags>;

function wantsWhole(context: CommandContext, flags: CallFlags): boolean {
  return flags.full || flags.output !== undefined || context.output.json;
}

async function printResult(
  context: CommandContext,
  runtime: Runtime,
  { outcome, flags }: { readonly outcome: Exclude<Outcome<CallValue>, Failed>; readonly flags: CallFlags },
): Promise<number> {
  const { output } = context;
  const { result, shown, tool } = outcome.value;
  if (flags.output !== undefined || output.json || flags.full) {
    await deliverWhole(context, {
      json: result,
      blocks: () => toBlocks(result),
      bytes: () => soleBinary(result.content),
      file: () => {
        const only = onlyBinary(result.content);
        return (
          only && {
            ...only,
            besides: () => (only.besides.length === 0 ? [] : toBlocks({ ...result, content: only.besides })),
          }
        );
      },
      redact: (text) => runtime.redact(text),
      flags,
    });
  } else await deliverShown(output, shown);
  for (const note of outcome.notes) output.note(note);
  if (outcome.kind === 'ok') return exitCodes.ok;
  if (!output.json) output.note(`${tool} reports that it failed.`);
  return exitCodes.failed;
}
