/** The configuration and settings in force: read again only when their files changed. */
import { canonicalPathSync, type Clock, limits, statSync } from '../base/index.ts';
import {
  type ConfigPlaces,
  type ConfigView,
  loadConfig,
  loadSettings,
  serverVariables,
  type Settings,
} from '../config/index.ts';
import type { Caller } from './caller.ts';

export interface FilesInForce {
  /** The configuration as it was when its file last changed; the look at the file may be `lookedWithinMs` old, default 0. */
  readonly config: (lookedWithinMs?: number) => ConfigView;
  /** The configuration read from disk now, with what lies beside its file. */
  readonly readConfig: () => ConfigView;
  /** The configuration as it was last read; undefined before the first time. */
  readonly lastConfig: () => ConfigView | undefined;
  /** The settings as they were when their file last changed; the look at the file may be `lookedWithinMs` old, default settingsLookMs. */
  readonly settings: (lookedWithinMs?: number) => Settings;
}

export interface FilesInForceOptions {
  readonly clock: Clock;
  /** May name a server where none is configured. */
  readonly env: Caller['env'];
  /** Gets every configuration that was read anew, and the one before it. */
  readonly onConfig: (view: ConfigView, before: ConfigView | undefined) => void;
}

export function createFilesInForce(places: ConfigPlaces, { clock, env, onConfig }: FilesInForceOptions): FilesInForce {
  const stamp = (): string => [stampOf(places.serversFile), ...serverVariables.map((name) => env[name])].join('\n');
  const config = keptWhileUnchanged({ stamp, clock }, (before: ConfigView | undefined) => {
    const view = loadConfig(places, env);
    onConfig(view, before);
    return view;
  });
  const settings = keptWhileUnchanged({ stamp: () => stampOf(places.settingsFile), clock }, () =>
    loadSettings(places.settingsFile),
  );
  return {
    config: (lookedWithinMs = 0) => config.get(lookedWithinMs),
    readConfig: config.read,
    lastConfig: config.last,
    settings: (lookedWithinMs = limits.settingsLookMs) => settings.get(lookedWithinMs),
  };
}

interface Watched {
  /** Differs when what is read may differ. */
  readonly stamp: () => string;
  readonly clock: Clock;
}

function keptWhileUnchanged<T>(
  { stamp: stampNow, clock }: Watched,
  load: (before: T | undefined) => T,
): { readonly get: (lookedWithinMs: number) => T; readonly read: () => T; readonly last: () => T | undefined } {
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

function stampOf(file: string): string {
  const own = statSync(file);
  // A link's own stamp stays when its target changes.
  const stamp = own?.kind === 'link' ? statSync(canonicalPathSync(file)) : own;
  return stamp === undefined ? 'absent' : `${stamp.kind} ${stamp.inode} ${stamp.sizeBytes} ${stamp.modifiedMs}`;
}
