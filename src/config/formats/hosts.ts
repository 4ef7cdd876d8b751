/** Hosts that can be given the one entry by which they start Trestle. */
import type { JsonObject } from '../../base/index.ts';
import type { Format, Machine } from './format.ts';
import { hasSecondForm } from './opencode.ts';
import { formats } from './table.ts';

export const hostIds = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'zed',
  'windsurf',
  'goose',
] as const;

export type HostId = (typeof hostIds)[number];

export interface Host extends HostForm {
  readonly title: string;
  readonly language: Format['language'];
  /** Files that may hold the entry; the first one that is there, else the first. */
  readonly files: (machine: Machine) => readonly string[];
  /** How entries are written in some documents instead. */
  readonly other?: HostForm & { readonly isIn: (document: JsonObject) => boolean };
}

/** How entries are written. */
export interface HostForm {
  /** Names from the outermost object down to the entries. */
  readonly at: readonly string[];
  /** The entry that starts a command. */
  readonly entry: (command: readonly [program: string, ...args: readonly string[]]) => JsonObject;
}

/** What the entry is called everywhere. */
export const hostEntryName = 'trestle';

const usual: Host['entry'] = ([command, ...args]) => ({ command, args });

function host(id: HostId, facts: Partial<Pick<Host, 'files' | 'at' | 'entry' | 'other'>> = {}): Host {
  const { title, language, userFiles } = formats[id];
  return { title, language, files: userFiles, at: ['mcpServers'], entry: usual, ...facts };
}

export const hosts: Readonly<Record<HostId, Host>> = {
  'claude-code': host('claude-code', { entry: (command) => ({ type: 'stdio', ...usual(command) }) }),
  'claude-desktop': host('claude-desktop'),
  cursor: host('cursor'),
  vscode: host('vscode', {
    files: (machine) => formats.vscode.userFiles(machine).slice(0, 1),
    at: ['servers'],
    entry: (command) => ({ type: 'stdio', ...usual(command) }),
  }),
  codex: host('codex', { at: ['mcp_servers'] }),
  gemini: host('gemini'),
  opencode: host('opencode', {
    files: (machine) => formats.opencode.userFiles(machine).slice(0, 2),
    at: ['mcp'],
    entry: (command) => ({ type: 'local', command, enabled: true }),
    // Its second version reads both forms, and none that is mixed.
    other: { isIn: hasSecondForm, at: ['mcp', 'servers'], entry: (command) => ({ type: 'local', command }) },
  }),
  zed: host('zed', { at: ['context_servers'], entry: (command) => ({ source: 'custom', ...usual(command), env: {} }) }),
  windsurf: host('windsurf'),
  goose: host('goose', {
    at: ['extensions'],
    entry: ([cmd, ...args]) => ({
      type: 'stdio',
      name: hostEntryName,
      description: 'Trestle',
      cmd,
      args,
      enabled: true,
      envs: {},
      env_keys: [],
      timeout: 300,
    }),
  }),
};

/** How a host's entries are written in a document of its own. */
export function formIn({ other, at, entry }: Host, document: JsonObject): HostForm {
  return other?.isIn(document) === true ? other : { at, entry };
}
