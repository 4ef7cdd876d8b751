/** A Trestle home of its own for a measurement. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServerCommand {
  readonly command: string;
  readonly args: string[];
}

/** A server over HTTP. */
export interface ServerAddress {
  readonly url: string;
}

/** The fast server of this folder, with `tools` tools. */
export function benchServer(tools = 1, first = 0): ServerCommand {
  return {
    command: process.execPath,
    args: [join(import.meta.dirname, 'servers/echo.mjs'), String(tools), String(first)],
  };
}

export interface TemporaryHome {
  readonly path: string;
  configure(servers: Readonly<Record<string, ServerCommand | ServerAddress>>): void;
  remove(): void;
}

export function temporaryHome(servers: Readonly<Record<string, ServerCommand | ServerAddress>>): TemporaryHome {
  const path = mkdtempSync(join(tmpdir(), 'trestle-bench-'));
  const configure = (named: Readonly<Record<string, ServerCommand | ServerAddress>>): void =>
    writeFileSync(join(path, 'servers.json'), JSON.stringify({ mcpServers: named }));
  configure(servers);
  return { path, configure, remove: () => rmSync(path, { recursive: true, force: true }) };
}
