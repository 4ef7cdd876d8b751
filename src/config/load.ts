import type { TrestleError } from '../base/index.ts';
import type { Definition } from './definition.ts';

/** The files of one home. */
export interface ConfigPlaces {
  /** `<home>/servers.json` or Pi's mcp-servers.json. */
  readonly serversFile: string;
  readonly settingsFile: string;
  /** Absolute, canonical working folder: project files are looked for from here up to the repository root. */
  readonly cwd: string;
}

export interface ConfigView {
  /** Usable definitions by name, sorted by name; disabled and refused ones included. */
  readonly servers: ReadonlyMap<string, Definition>;
  /** Entries that could not be used, by name. */
  readonly broken: ReadonlyMap<string, TrestleError>;
  /** Lines a person should see once: ignored project files, members without effect. */
  readonly notices: readonly string[];
}

/** Reads servers.json (JSONC, both shapes). Throws `config_unreadable` (with line and column) when the file cannot be parsed. */
export function loadConfig(places: ConfigPlaces): ConfigView {
  throw new Error(`not built: ${places.serversFile}`);
}

/** Settings that have an effect in this version; all have defaults. */
export interface Settings {
  readonly outputGuard: {
    readonly enabled: boolean;
    readonly maxBytes: number;
    readonly maxLines: number;
    readonly detailsMaxBytes: number;
  };
  /** Minutes; 0 = never. */
  readonly idleMinutes: number;
  /** Undefined = limits.requestIdleMs. */
  readonly requestTimeoutMs: number | undefined;
  readonly notices: readonly string[];
}

/** Reads settings.json; a missing file is all defaults. Throws `config_unreadable`, `config_entry_invalid`. */
export function loadSettings(settingsFile: string): Settings {
  throw new Error(`not built: ${settingsFile}`);
}
