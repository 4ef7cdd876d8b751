/** The configuration and settings in force: read again only when their files changed. */
import { type Clock, limits, type Scope } from '../../base/index.ts';
import {
  type ConfigPlaces,
  type ConfigView,
  type Definition,
  loadConfig,
  loadSettings,
  serverVariables,
  type Settings,
} from '../../config/index.ts';
import type { ToolRules } from '../../policy/index.ts';
import type { Asker } from '../asker.ts';
import type { Caller } from '../caller.ts';
import { keptWhileUnchanged, stampOf } from './kept-while-unchanged.ts';
import { createProjects, type Trust } from './projects.ts';

export interface FilesInForce {
  /** The configuration as it was when its files last changed; the look at them may be `lookedWithinMs` old, default 0. */
  readonly config: (asker?: Asker, lookedWithinMs?: number) => ConfigView;
  /** The configuration read from disk now, with what lies beside its file. */
  readonly readConfig: (asker?: Asker) => ConfigView;
  /** The user's own configuration as it was last read; undefined before the first time. */
  readonly lastConfig: () => ConfigView | undefined;
  /** The tool rules of the server with this name in the registry; the same object while they are the same. */
  readonly rulesOf: (registryName: string) => ToolRules | undefined;
  /** The settings as they were when their file last changed; the look at the file may be `lookedWithinMs` old, default settingsLookMs. */
  readonly settings: (lookedWithinMs?: number) => Settings;
}

export interface FilesInForceOptions {
  readonly clock: Clock;
  readonly userHome: string;
  /** Who asks when nobody is named; their environment may name a server where none is configured. */
  readonly asker: Required<{ [Member in keyof Asker]: NonNullable<Asker[Member]> }>;
  readonly trust: Trust;
  /** Gets every configuration of the user's own that was read anew, and the one before it. */
  readonly onConfig: (view: ConfigView, before: ConfigView | undefined) => void;
  /** Gets what a project asks for whenever its files were read anew. */
  readonly onProject: (definitions: readonly Definition[], before: readonly Definition[]) => void;
}

export function createFilesInForce(places: ConfigPlaces, options: FilesInForceOptions): FilesInForce {
  const { clock, asker: own, onConfig } = options;
  const { env } = own.caller;
  const stamp = (): string => [stampOf(places.serversFile), ...serverVariables.map((name) => env[name])].join('\n');
  const user = keptWhileUnchanged({ stamp, clock }, (before: ConfigView | undefined) => {
    const view = loadConfig(places, env);
    onConfig(view, before);
    return view;
  });
  const settings = keptWhileUnchanged({ stamp: () => stampOf(places.settingsFile), clock }, () =>
    loadSettings(places.settingsFile),
  );
  const projects = createProjects(places, options);
  const seenBy = ({ caller = own.caller, scope = own.scope }: Asker = {}): { caller: Caller; scope: Scope } => ({
    caller,
    scope,
  });
  return {
    config: (asker, lookedWithinMs = 0) => projects.over(user.get(lookedWithinMs), seenBy(asker), lookedWithinMs),
    readConfig: (asker) => projects.over(user.read(), seenBy(asker), 'now'),
    lastConfig: user.last,
    rulesOf: (registryName) => projects.rulesOf(registryName) ?? ownRules(user.get, registryName),
    settings: (lookedWithinMs = limits.settingsLookMs) => settings.get(lookedWithinMs),
  };
}

/** A configuration that cannot be read hides nothing: nothing can be called by it either. */
function ownRules(user: (lookedWithinMs: number) => ConfigView, server: string): ToolRules | undefined {
  try {
    return user(limits.callLookMs).servers.get(server)?.tools;
  } catch {
    return undefined;
  }
}
