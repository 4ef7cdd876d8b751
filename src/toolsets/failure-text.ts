import { type Execution, type JsonValue, limits, shorten, stringifyJson } from '../base/index.ts';
import type { Failed } from '../runtime/index.ts';

/** What a model must know before it tries again. `not-sent` and `rejected` need no word: nothing happened. */
const executions: Readonly<Record<Execution, string | undefined>> = {
  'not-sent': undefined,
  rejected: undefined,
  unknown: 'The server may have executed it; check before doing it again.',
  done: 'The server did execute it.',
};

/** A failure as one clear text: what is wrong, the code, a JSON-RPC error's data, what to do, whether something may have happened, the end of stderr. */
export function failureText(failed: Failed): string {
  const { code, message, hint, details } = failed.failure;
  const { stderr, rpcData } = details ?? {};
  return [
    `${message} (${code})`,
    rpcData === undefined || rpcData === null
      ? undefined
      : `Data: ${shorten(stringifyJson(rpcData as JsonValue), limits.quotedCharacters)}`,
    hint,
    executions[failed.execution],
    typeof stderr === 'string' && stderr.trim() !== '' && !message.includes(stderr.trim())
      ? `The server's last words on stderr:\n${stderr.trim()}`
      : undefined,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}
