/** Failures for people (standard error) and for programs (`--json`, standard output). */
import { type Execution, type Failure, limits, pasteableFailure, stringifyJson } from '../../base/index.ts';
import { cleanLine, cleanText } from '../../policy/index.ts';
import type { Failed } from '../../runtime/index.ts';
import type { Output } from '../output.ts';
import type { Style } from './style.ts';

/** Longest message or hint; a corrected command may be long. */
const lineCharacters = 8_000;

/** What the server may have done, where a person should know it. */
const consequences: Readonly<Record<Execution, string | undefined>> = {
  'not-sent': undefined,
  rejected: undefined,
  unknown: 'The server may have executed it; look before you repeat it.',
  done: undefined,
};

/** `error[code]: message`, `data: …` of a JSON-RPC error, `hint: …`, and the end of the server's standard error where there is one. */
export function renderFailure(
  failure: Failure,
  { errorStyle: style, pasteable }: Pick<Output, 'errorStyle' | 'pasteable'>,
  facts: { readonly execution?: Execution | undefined } = {},
): string {
  const consequence = facts.execution === undefined ? undefined : consequences[facts.execution];
  const { stderr, rpcData } = failure.details ?? {};
  return [
    `${style.red(`error[${failure.code}]:`)} ${cleanLine(failure.message, lineCharacters)}`,
    ...(rpcData === undefined || rpcData === null
      ? []
      : [`${style.dim('data:')} ${cleanLine(stringifyJson(rpcData), limits.quotedCharacters)}`]),
    ...(failure.hint === undefined
      ? []
      : [`${style.yellow('hint:')} ${cleanLine(pasteable(failure.hint), lineCharacters)}`]),
    ...(consequence === undefined ? [] : [`${style.dim('note:')} ${consequence}`]),
    ...(typeof stderr === 'string' && stderr.trim() !== '' ? renderTail(stderr, style) : []),
    '',
  ].join('\n');
}

/** The JSON of a failure: `{ error, kind, execution }`. */
export function failureJson(
  { failure, kind, execution }: Failed,
  { pasteable }: Pick<Output, 'pasteable'>,
): Readonly<Record<string, unknown>> {
  return { error: pasteableFailure(failure, pasteable), kind, execution };
}

function renderTail(stderr: string, style: Style): readonly string[] {
  return [
    style.dim('the end of what the server wrote to standard error:'),
    ...cleanText(stderr)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}
