/** `read`: one resource. */
import { isObject, type JsonValue } from '../../base/index.ts';
import { resourceBlocks, type ShownBlock } from '../../policy/index.ts';
import { hasValue } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { checkDestination, deliverShown, deliverWhole, wholeFlags } from '../deliver.ts';
import { exitCodes } from '../exit-codes.ts';
import { requestFlags, usage } from '../flags.ts';
import { onlyBinary, soleBinary } from '../render/result.ts';
import { printFailed } from '../report.ts';
import { withProgress } from '../request.ts';
import { withSuggestion } from '../suggest.ts';
import { readTarget, refuseFurther } from '../target.ts';
import { commandLine } from '../typed-command.ts';

const flags = {
  ...wholeFlags,
  ...requestFlags,
} as const;

export const read = defineCommand({
  name: 'read',
  summary: 'Reads a resource of a server.',
  usage: ['read <server> <uri> [-o FILE]', 'read <url> <uri>', 'read <uri> -- command args…'],
  flags,
  words: ['server', 'resource'],
  json: 'Print { contents } as the server sent it; a failure as { error, kind, execution }.',
  examples: [
    'read everything demo://resource/static/document/architecture.md',
    'read docs file:///logo.png -o logo.png',
  ],
  async run(context, words) {
    const { target, words: after } = readTarget(words);
    const [uri, ...others] = after;
    if (uri === undefined) {
      throw usage(
        "The resource's uri is missing.",
        target.kind === 'named' ? `See them: ${commandLine(context.typed, 'resources', target.name)}` : undefined,
      );
    }
    refuseFurther(others, 'the uri');
    const { output } = context;
    const { flags } = words;
    const whole = flags.full || flags.output !== undefined || output.json;
    checkDestination(context, flags);
    const runtime = context.runtime();
    const outcome = await withProgress(context, { target, limits: flags }, (request) =>
      runtime.read({ ...request, uri: uri.text, present: !whole }),
    );
    if (!hasValue(outcome))
      return printFailed(withSuggestion(outcome, { runtime, typed: context.typed, target }), output);

    const { contents, shown } = outcome.value;
    if (whole) {
      await deliverWhole(context, {
        json: { contents },
        blocks: () => wholeBlocks(contents),
        bytes: () => soleBinary(contents),
        file: () => {
          const only = onlyBinary(contents);
          return only && { ...only, besides: () => wholeBlocks(only.besides) };
        },
        redact: (text) => runtime.redact(text),
        flags,
      });
    } else await deliverShown(output, shown);
    for (const note of outcome.notes) output.note(note);
    return exitCodes.ok;
  },
});

/** The text of every part as sent; parts that hold none are told in a line. */
function wholeBlocks(contents: readonly JsonValue[]): readonly ShownBlock[] {
  const texts = contents.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : undefined));
  return texts.every((text) => text !== undefined)
    ? texts.map((text) => ({ type: 'text', text }))
    : resourceBlocks(contents);
}
