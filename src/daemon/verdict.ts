/** Whether a client may use the daemon it has met. Pure. */
import type { ProgramStamp } from './record.ts';

export interface Side {
  readonly protocol: number;
  readonly version: string;
  readonly program: ProgramStamp;
}

/** `replace`: it has to end, and a new one is started. `alone`: the client works without it; `why` is a sentence without its end. */
export type Verdict =
  | { readonly kind: 'use' }
  | { readonly kind: 'replace' }
  | { readonly kind: 'alone'; readonly why: string };

/**
 * The newer side wins: an older daemon is replaced, a newer one of equal protocol is used, and one of another protocol is left
 * to those who can speak with it. Of equal versions only a program that was changed since it was started is replaced.
 */
export function judge(client: Side, daemon: Side): Verdict {
  const order = compareVersions(client.version, daemon.version);
  if (order > 0) return { kind: 'replace' };
  if (order === 0 && wasReplaced(client.program, daemon.program)) return { kind: 'replace' };
  if (client.protocol === daemon.protocol) return { kind: 'use' };
  return order === 0
    ? { kind: 'replace' }
    : { kind: 'alone', why: `the running daemon is of version ${daemon.version}, this is ${client.version}` };
}

function wasReplaced(client: ProgramStamp, daemon: ProgramStamp): boolean {
  return client.path === daemon.path && client.modifiedMs !== daemon.modifiedMs;
}

/** Above 0 when `a` is newer. As semantic versions say: numbers first, and a pre-release comes before its release. */
export function compareVersions(a: string, b: string): number {
  const [[aCore = '', ...aRest], [bCore = '', ...bRest]] = [a.split('-'), b.split('-')];
  const order = compareParts(aCore.split('.'), bCore.split('.'));
  const [aTag, bTag] = [aRest.join('-'), bRest.join('-')];
  if (order !== 0 || aTag === bTag) return order;
  if (aTag === '' || bTag === '') return aTag === '' ? 1 : -1;
  return compareParts(aTag.split('.'), bTag.split('.'));
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [one, other] = [a[at] ?? '', b[at] ?? ''];
    if (one === other) continue;
    const numeric = /^\d+$/.test(one) && /^\d+$/.test(other);
    return (numeric ? Number(one) < Number(other) : one < other) ? -1 : 1;
  }
  return 0;
}
