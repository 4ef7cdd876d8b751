/** settings.json: settings that have an effect, with their defaults. */
import { isObject, limits } from '../base/index.ts';
import { readConfigFile } from './config-file.ts';
import {
  entryError,
  type EntryReader,
  openEntry,
  readAny,
  readBoolean,
  readChoice,
  readNumber,
  unknownMembers,
} from './members.ts';

/** Members of the file and of its limits, for guesses. */
const knownMembers = [
  'outputGuard',
  'idleTimeout',
  'requestTimeoutMs',
  'contextBudgetTokens',
  'schemaInjectionToolLimit',
  'requireConsent',
  'destructiveTools',
  'secretStore',
  'shareServers',
  'footer',
];
/** Kept as they are for a later version: files of pi-mcp-bridge have it. */
const keptMember = 'uiViewer';
const knownLimits = ['maxBytes', 'maxLines', 'detailsMaxBytes'];

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
  /** Budget of the text about servers and tools that a model sees, o200k tokens; 0 = none of it. */
  readonly contextBudgetTokens: number;
  /** Tools in all up to which that text has their schemas; 0 = never. */
  readonly schemaToolLimit: number;
  /** Whether a person has to approve a server before it is used. */
  readonly requireConsent: boolean;
  /** Whether a person is asked before each call of a tool that says it may destroy something. */
  readonly destructiveTools: 'allow' | 'ask';
  /** Where secrets are kept: `auto` is the system's keychain where it can be reached by an installed package, else a file. */
  readonly secretStore: 'auto' | 'file';
  /** Whether a host that keeps its own servers uses those of the user's daemon instead, which other hosts and commands share. */
  readonly shareServers: boolean;
  /** Whether a host with a status line has one about servers in it. */
  readonly footer: boolean;
  /** Lines a person should see: members that nobody knows, which may be slips. */
  readonly notices: readonly string[];
  /** Lines for whoever asks how it stands: members that are known and have no effect yet. */
  readonly unused: readonly string[];
}

/** Reads settings.json; a missing file is all defaults. Throws `config_unreadable`, `config_entry_invalid`. */
export function loadSettings(settingsFile: string): Settings {
  const { value } = readConfigFile(settingsFile);
  const subject = { subject: `Settings in ${settingsFile}`, server: undefined, file: settingsFile, quotes: true };
  const entry = openEntry(subject, value);
  readAny(entry, '$schema');
  const outputGuard = readGuard(entry);
  const idleMinutes = readNumber(entry, 'idleTimeout', { least: 0, most: limits.idleMinutesMost, unit: 'minutes' });
  const range = { least: 0, most: limits.timeoutSeconds * 1_000, unit: 'milliseconds' };
  const timeoutMs = readNumber(entry, 'requestTimeoutMs', range) ?? 0;
  const contextBudgetTokens = readNumber(entry, 'contextBudgetTokens', {
    least: 0,
    most: limits.contextBudgetMost,
    unit: 'tokens',
  });
  const schemaToolLimit = readNumber(entry, 'schemaInjectionToolLimit', {
    least: 0,
    most: limits.listItems,
    unit: 'tools',
  });
  const requireConsent = readBoolean(entry, 'requireConsent') ?? false;
  const destructiveTools = readChoice(entry, 'destructiveTools', ['allow', 'ask']) ?? 'allow';
  const secretStore = readChoice(entry, 'secretStore', ['auto', 'file']) ?? 'auto';
  const shareServers = readBoolean(entry, 'shareServers') ?? false;
  const footer = readBoolean(entry, 'footer') ?? true;
  const kept = readAny(entry, keptMember) === undefined ? [] : [keptMember];
  const ignored = unknownMembers(entry, [...knownMembers, keptMember]);
  return {
    outputGuard: outputGuard.settings,
    idleMinutes: idleMinutes ?? limits.idleMinutes,
    requestTimeoutMs: timeoutMs === 0 ? undefined : timeoutMs,
    contextBudgetTokens: contextBudgetTokens ?? limits.contextBudgetTokens,
    schemaToolLimit: schemaToolLimit ?? limits.schemaToolLimit,
    requireConsent,
    destructiveTools,
    secretStore,
    shareServers,
    footer,
    notices: withoutEffect(settingsFile, [...ignored, ...outputGuard.unknown]),
    unused: withoutEffect(settingsFile, kept),
  };
}

function withoutEffect(file: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${file}: without effect in this version: ${names.join(', ')}.`];
}

function readGuard(entry: EntryReader): {
  readonly settings: Settings['outputGuard'];
  readonly unknown: readonly string[];
} {
  const value = readAny(entry, 'outputGuard') ?? true;
  if (typeof value !== 'boolean' && !isObject(value)) {
    throw entryError(entry, 'outputGuard', 'must be true, false or an object of limits');
  }
  const guard = openEntry(entry, isObject(value) ? value : {});
  const counted = (field: string, unit: string, standard: number): number =>
    readNumber(guard, field, { least: 1, most: limits.guardMost, unit }) ?? standard;
  const settings = {
    enabled: value !== false,
    maxBytes: counted('maxBytes', 'bytes', limits.shownBytes),
    maxLines: counted('maxLines', 'lines', limits.shownLines),
    detailsMaxBytes: counted('detailsMaxBytes', 'bytes', limits.detailsBytes),
  };
  return { settings, unknown: unknownMembers(guard, knownLimits).map((name) => `outputGuard.${name}`) };
}
