/** One conversation with the system's keychain, by a process that can be ended when the keychain hangs. */
import { parse } from 'node:path';
import {
  type Clock,
  inheritedEnvironment,
  isObject,
  type JsonValue,
  limits,
  parseJson,
  shorten,
  TrestleError,
} from '../base/index.ts';
import { keychainProgram } from './keychain-program.ts';

/** What is asked of the keychain, in order; each step has one result. */
export type KeychainStep =
  | { readonly action: 'get'; readonly name: string }
  | { readonly action: 'set'; readonly name: string; readonly value: string }
  | { readonly action: 'remove'; readonly name: string }
  | { readonly action: 'names' };

export interface KeychainPlace {
  /** The module that knows the keychain, an absolute path. */
  readonly keyring: string;
  /** Whose secrets these are; separates homes. */
  readonly service: string;
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/** The results of `steps`. Throws `secrets_unavailable` when the keychain refuses, or does not answer in time. */
export async function askKeychain(place: KeychainPlace, steps: readonly KeychainStep[]): Promise<readonly JsonValue[]> {
  const { keyring, service, deadlineMs } = place;
  const answer = await answerOf(place, JSON.stringify({ keyring, service, steps, deadlineMs }));
  const { results, refusal } = isObject(answer) ? answer : {};
  if (isArray(results) && results.length === steps.length) return results;
  throw unavailable(
    place,
    typeof refusal === 'string'
      ? `it says: ${told(refusal, steps)}`
      : 'the process that asks it ended without an answer',
  );
}

function answerOf(place: KeychainPlace, question: string): Promise<JsonValue | undefined> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { clock, deadlineMs, env, platform, stateFolder } = place;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', keychainProgram], {
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      // A folder that nobody wants to remove.
      cwd: parse(stateFolder).root,
      env: inheritedEnvironment(env, platform),
    });
    const timer = clock.after(deadlineMs, () => {
      child.kill('SIGKILL');
      reject(unavailable(place, `it did not answer within ${deadlineMs / 1000} s; it may be locked`));
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    // One that is gone cannot be written to; its end tells.
    child.stdin.on('error', () => {}).end(question);
    child.on('error', (error) => {
      timer.cancel();
      reject(unavailable(place, `the process that asks it cannot be started (${error.message})`));
    });
    child.on('close', () => {
      timer.cancel();
      resolve(parsed(text));
    });
  });
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The keychain's own words, without what it was given. */
function told(refusal: string, steps: readonly KeychainStep[]): string {
  let text = refusal;
  for (const step of steps) if (step.action === 'set') text = text.replaceAll(step.value, '[redacted]');
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), limits.descriptionCharacters);
}

function unavailable({ platform }: KeychainPlace, reason: string): TrestleError {
  const unlock =
    platform === 'linux'
      ? 'Start and unlock the keyring of this session (GNOME Keyring, KWallet)'
      : 'Unlock the keychain, and allow Trestle to use it';
  return new TrestleError({
    code: 'secrets_unavailable',
    message: `The system's keychain cannot be used: ${reason.replace(/\.$/, '')}.`,
    hint: `${unlock}; or keep secrets in a file: "secretStore": "file" in settings.json.`,
    details: { store: 'keychain' },
  });
}
