/** The configuration and settings in force: read again only when their files changed. */
import { type Clock, limits } from '../base/index.ts';
import {
  type ConfigPlaces,
  type ConfigView,
  loadConfig,
  loadSettings,
  serverVariables,
  type Settings,
} from '../config/index.ts';
import type { Caller } from './caller.ts';
import { keptWhileUnchanged, stampOf } from './kept-while-unchanged.ts';

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
