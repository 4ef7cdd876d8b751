/** What a file says, kept as long as the file is the same. */
import { canonicalPathSync, type Clock, statSync } from '../../base/index.ts';

export interface Watched {
  /** Differs when what is read may differ. */
  readonly stamp: () => string;
  readonly clock: Clock;
}

export interface KeptWhileUnchanged<T> {
  /** The value, of which the last look at the stamp may be `lookedWithinMs` old. */
  readonly get: (lookedWithinMs: number) => T;
  /** The value loaded now. */
  readonly read: () => T;
  /** The value as it was last loaded; undefined before the first time. */
  readonly last: () => T | undefined;
}

/** What `load` makes, made anew when the stamp is another one. */
export function keptWhileUnchanged<T>(
  { stamp: stampNow, clock }: Watched,
  load: (before: T | undefined) => T,
): KeptWhileUnchanged<T> {
  let kept: { readonly stamp: string; readonly value: T } | undefined;
  let lookedMs = 0;
  const read = (): T => {
    // Stamped before reading: a change in between is then seen by the next look.
    const stamp = stampNow();
    const value = load(kept?.value);
    kept = { stamp, value };
    return value;
  };
  const get = (lookedWithinMs: number): T => {
    const nowMs = clock.monotonicMs();
    if (kept !== undefined && nowMs - lookedMs < lookedWithinMs) return kept.value;
    const value = kept !== undefined && kept.stamp === stampNow() ? kept.value : read();
    // Only now: a look that failed must not make what was kept count as looked at.
    lookedMs = nowMs;
    return value;
  };
  return { read, get, last: () => kept?.value };
}

/** Differs when the file, or what the link there leads to, may differ. */
export function stampOf(file: string): string {
  const own = statSync(file);
  // A link's own stamp stays when its target changes.
  const stamp = own?.kind === 'link' ? statSync(canonicalPathSync(file)) : own;
  return stamp === undefined ? 'absent' : `${stamp.kind} ${stamp.inode} ${stamp.sizeBytes} ${stamp.modifiedMs}`;
}
