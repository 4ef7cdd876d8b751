/** The lines of a change, for people. */
import { isObject, type JsonValue } from '../base/index.ts';
import { secretAuthMembers } from './auth.ts';
import { headerSecrets, isSecretHeader, isSecretName, querySecrets } from './secrets.ts';

export interface TextChange {
  readonly before: string;
  readonly after: string;
  /** The values of both texts: their literal secrets are masked. */
  readonly entries: readonly JsonValue[];
}

/** The lines that differ as `- old` and `+ new`, in their order, literal secrets masked. */
export function changedLines(change: TextChange): readonly string[] {
  const before = linesOf(change.before);
  const after = linesOf(change.after);
  let start = 0;
  while (start < before.length && start < after.length && isSame(before[start], after[start])) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const secrets = change.entries.flatMap((entry) => literalSecrets(entry));
  const masked = secrets
    .filter((secret) => secret !== '')
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .toSorted((a, b) => b.length - a.length);
  const mask = (line: string): string => masked.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line);
  return [
    ...before.slice(start, before.length - end).map((line) => `- ${mask(line)}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${mask(line)}`),
  ];
}

/** A neighbour that only gets or loses its comma has not changed; without this the last entry of a list is told shifted by a line. */
function isSame(before: string | undefined, after: string | undefined): boolean {
  return before?.replace(/,$/, '') === after?.replace(/,$/, '');
}

function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Secrets written out in a configuration; references to variables are none. */
function literalSecrets(value: JsonValue, holder = ''): readonly string[] {
  if (typeof value === 'string') return holder === 'url' ? querySecrets(value).filter(isLiteral) : [];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => literalSecrets(item));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string') return literalSecrets(member, name);
    if (holder === 'headers' && isSecretHeader(name)) return headerSecrets(member).filter(isLiteral);
    const isAuth = holder === 'auth' && secretAuthMembers.some((secret) => secret === name);
    if (isAuth) return isLiteral(member) ? [member] : [];
    const isVariable = holder === 'env' || holder === 'environment' || holder === 'oauth';
    if (isVariable && isSecretName(name)) return isLiteral(member) ? [member] : [];
    return literalSecrets(member, name);
  });
}

function isLiteral(text: string): boolean {
  return !text.includes('${') && !text.startsWith('$env:');
}
