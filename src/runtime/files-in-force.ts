/** The configuration and settings in force: read again only when their files changed. */
import { statSync } from '../base/index.ts';
import { type ConfigPlaces, type ConfigView, loadConfig, loadSettings, type Settings } from '../config/index.ts';

export interface FilesInForce {
  /** The configuration as it was when its file last changed. */
  readonly config: () => ConfigView;
  /** The configuration read from disk now, with what lies beside its file. */
  readonly readConfig: () => ConfigView;
  readonly settings: () => Settings;
}

/** `onConfig` gets every configuration that was read anew. */
export function createFilesInForce(places: ConfigPlaces, onConfig: (view: ConfigView) => void): FilesInForce {
  const config = keptWhileUnchanged(places.serversFile, () => {
    const view = loadConfig(places);
    onConfig(view);
    return view;
  });
  const settings = keptWhileUnchanged(places.settingsFile, () => loadSettings(places.settingsFile));
  return { config: config.get, readConfig: config.read, settings: settings.get };
}

function keptWhileUnchanged<T>(file: string, load: () => T): { readonly get: () => T; readonly read: () => T } {
  let kept: { readonly stamp: string; readonly value: T } | undefined;
  const read = (): T => {
    // Stamped before reading: a change in between is then seen by the next look.
    const stamp = stampOf(file);
    const value = load();
    kept = stamp === undefined ? undefined : { stamp, value };
    return value;
  };
  return {
    read,
    get: () => (kept !== undefined && kept.stamp === stampOf(file) ? kept.value : read()),
  };
}

/** Undefined where a stamp proves nothing: a link's own stamp stays when its target changes. */
function stampOf(file: string): string | undefined {
  const stamp = statSync(file);
  if (stamp === undefined) return 'absent';
  return stamp.kind === 'file' ? `${stamp.inode} ${stamp.sizeBytes} ${stamp.modifiedMs}` : undefined;
}
