import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { limits } from '../base/index.ts';
import type { ConfigView } from '../config/index.ts';
import { createFilesInForce } from './files-in-force.ts';

function open(env: Record<string, string> = {}) {
  const cwd = tempFolder();
  const clock = createManualClock();
  const read: ConfigView[] = [];
  const places = { serversFile: join(cwd, 'servers.json'), settingsFile: join(cwd, 'settings.json'), cwd };
  const files = createFilesInForce(places, { clock, env, onConfig: (view) => read.push(view) });
  const configure = (names: readonly string[], file = places.serversFile): void =>
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) }),
    );
  return { places, files, clock, read, configure };
}

describe('the files in force', () => {
  it('H10: a server that the environment names is there while no file names one, and follows its variables', () => {
    const env: Record<string, string> = {};
    const { files, configure } = open(env);
    const servers = (): readonly string[] => [...files.config().servers.keys()];
    expect(servers()).toEqual([]);
    env['MCP_SERVER_URL'] = 'http://localhost:3000/sse';
    expect(servers()).toEqual(['localhost-3000']);
    env['MCP_API_KEY'] = 'a';
    expect(files.config().servers.get('localhost-3000')?.authKind).toBe('bearer');
    configure(['a']);
    expect(servers()).toEqual(['a']);
  });

  it('F4: the configuration is read once while its file is unchanged, and anew as soon as it changed', () => {
    const { files, read, configure } = open();
    expect([...files.config().servers.keys()]).toEqual([]);
    configure(['a']);
    expect([...files.config().servers.keys()]).toEqual(['a']);
    expect(files.config()).toBe(files.config());
    configure(['a', 'b']);
    expect([...files.config().servers.keys()]).toEqual(['a', 'b']);
    expect(read).toHaveLength(3);
  });

  it('F4: a look that is recent enough for the asker is not repeated', async () => {
    const { files, clock, configure } = open();
    configure(['a']);
    files.config();
    configure(['a', 'b']);
    expect([...files.config(limits.callLookMs).servers.keys()]).toEqual(['a']);
    await clock.advance(limits.callLookMs);
    expect([...files.config(limits.callLookMs).servers.keys()]).toEqual(['a', 'b']);
  });

  it('F2, F4: a file that cannot be read is told every time, however soon the next look comes', async () => {
    const { files, places, clock, configure } = open();
    configure(['a']);
    files.config();
    await clock.advance(limits.callLookMs);
    writeFileSync(places.serversFile, '{"mcpServers": {');
    for (let look = 0; look < 2; look += 1) expect(() => files.config(limits.callLookMs)).toThrow(/cannot be read/);
  });

  it('F4: a change of the file behind a link is seen too', () => {
    const { files, places, configure } = open();
    const target = join(tempFolder(), 'dotfiles.json');
    configure(['a'], target);
    symlinkSync(target, places.serversFile);
    expect([...files.config().servers.keys()]).toEqual(['a']);
    configure(['a', 'b'], target);
    expect([...files.config().servers.keys()]).toEqual(['a', 'b']);
  });

  it('N3: changed settings are in force a moment later', async () => {
    const { files, places, clock } = open();
    expect(files.settings().idleMinutes).toBe(limits.idleMinutes);
    writeFileSync(places.settingsFile, '{"idleTimeout": 3}');
    await clock.advance(limits.settingsLookMs);
    expect(files.settings().idleMinutes).toBe(3);
  });
});
