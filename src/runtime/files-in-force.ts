/** The configuration and settings in force: read again only when their files changed. */
import { canonicalPathSync, type Clock, limits, statSync } from '../base/index.ts';
import { type ConfigPlaces, type ConfigView, loadConfig, loadSettings, type Settings } from '../config/index.ts';

export interface FilesInForce {
  /** The configuration as it was when its file last changed. */
  readonly config: () => ConfigView;
  /** The configuration read from disk now, with what lies beside its file. */
  readonly readConfig: () => ConfigView;
  readonly settings: () => Settings;
}

export interface FilesInForceOptions {
  readonly clock: Clock;
  /** Gets every configuration that was read anew. */
  readonly onConfig: (view: ConfigView) => void;
}

export function createFilesInForce(places: ConfigPlaces, { clock, onConfig }: FilesInForceOptions): FilesInForce {
  // Who adds a server calls it at once: its file is looked at every time. Settings may take a moment.
  const config = keptWhileUnchanged({ file: places.serversFile, clock, lookEveryMs: 0 }, () => {
    const view = loadConfig(places);
    onConfig(view);
    return view;
  });
  const settings = keptWhileUnchanged({ file: places.settingsFile, clock, lookEveryMs: limits.settingsLookMs }, () =>
    loadSettings(places.settingsFile),
  );
  return { config: config.get, readConfig: config.read, settings: settings.get };
}

interface Watched {
  readonly file: string;
  readonly clock: Clock;
  readonly lookEveryMs: number;
}

function keptWhileUnchanged<T>(
  { file, clock, lookEveryMs }: Watched,
  load: () => T,
): { readonly get: () => T; readonly read: () => T } {
  let kept: { readonly stamp: string; readonly value: T } | undefined;
  let lookedMs = 0;
  const read = (): T => {
    // Stamped before reading: a change in between is then seen by the next look.
    const stamp = stampOf(file);
    const value = load();
    kept = { stamp, value };
    return value;
  };
  const get = (): T => {
    const nowMs = clock.monotonicMs();
    if (kept !== undefined && nowMs - lookedMs < lookEveryMs) return kept.value;
    lookedMs = nowMs;
    return kept !== undefined && kept.stamp === stampOf(file) ? kept.value : read();
  };
  return { read, get };
}

function stampOf(file: string): string {
  const own = statSync(file);
  // A link's own stamp stays when its target changes.
  const stamp = own?.kind === 'link' ? statSync(canonicalPathSync(file)) : own;
  return stamp === undefined ? 'absent' : `${stamp.kind} ${stamp.inode} ${stamp.sizeBytes} ${stamp.modifiedMs}`;
}
