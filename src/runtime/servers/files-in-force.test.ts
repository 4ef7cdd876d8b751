import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/index.ts';
import type { ConfigView } from '../../config/index.ts';
import { createFilesInForce } from './files-in-force.ts';

interface Opened {
  readonly env?: Record<string, string>;
  /** Definitions that are approved, by the program they start. */
  readonly approved?: Set<string>;
}

function open({ env = {}, approved = new Set() }: Opened = {}) {
  const cwd = tempFolder();
  const clock = createManualClock();
  const read: ConfigView[] = [];
  const projects: (readonly string[])[] = [];
  const places = { serversFile: join(cwd, 'servers.json'), settingsFile: join(cwd, 'settings.json') };
  const files = createFilesInForce(places, {
    clock,
    userHome: '/home/me',
    asker: { caller: { env, cwd }, scope: 'library' },
    trust: {
      stamp: () => [...approved].join(),
      verdict: ({ transport }) =>
        transport.kind === 'stdio' && approved.has(transport.command) ? 'approved' : 'not approved',
    },
    onConfig: (view) => read.push(view),
    onProject: (definitions) => projects.push(definitions.map(({ name }) => name)),
  });
  const configure = (names: readonly string[], file = places.serversFile): void =>
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) }),
    );
  return { places, files, clock, read, configure, cwd, projects };
}

describe('the files in force', () => {
  it('H10: a server that the environment names is there while no file names one, and follows its variables', () => {
    const env: Record<string, string> = {};
    const { files, configure } = open({ env });
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
    expect([...files.config({}, limits.callLookMs).servers.keys()]).toEqual(['a']);
    await clock.advance(limits.callLookMs);
    expect([...files.config({}, limits.callLookMs).servers.keys()]).toEqual(['a', 'b']);
  });

  it('F2, F4: a file that cannot be read is told every time, however soon the next look comes', async () => {
    const { files, places, clock, configure } = open();
    configure(['a']);
    files.config();
    await clock.advance(limits.callLookMs);
    writeFileSync(places.serversFile, '{"mcpServers": {');
    for (let look = 0; look < 2; look += 1) expect(() => files.config({}, limits.callLookMs)).toThrow(/cannot be read/);
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

  it('K2: what a project asks for waits until it is approved, for each caller by the folder they work in', () => {
    const approved = new Set<string>();
    const { files, configure, cwd, projects } = open({ approved });
    configure(['mine']);
    const plain = files.config();
    const project = tempFolder();
    configure(['theirs'], join(project, '.mcp.json'));
    const asker = { caller: { env: {}, cwd: project } };
    expect(files.config({ caller: { env: {}, cwd } })).toBe(plain);
    const waiting = files.config(asker);
    expect([[...waiting.servers.keys()], [...waiting.waiting.keys()]]).toEqual([['mine'], ['theirs']]);
    expect(files.config(asker)).toBe(waiting);
    approved.add('x');
    expect([...files.config(asker).servers.keys()]).toEqual(['mine', 'theirs']);
    configure(['others'], join(project, '.mcp.json'));
    expect([...files.config(asker).servers.keys()]).toEqual(['mine', 'others']);
    expect(projects).toEqual([[], ['theirs'], ['others']]);
  });

  it('K2: no more than so many folders are kept, and one that is used again is read anew', () => {
    const { files, projects } = open();
    for (let at = 0; at <= limits.projectViews; at += 1) files.config({ caller: { env: {}, cwd: `/nowhere/${at}` } });
    const before = projects.length;
    files.config({ caller: { env: {}, cwd: `/nowhere/${limits.projectViews}` } });
    expect(projects).toHaveLength(before);
    files.config({ caller: { env: {}, cwd: '/nowhere/0' } });
    expect(projects).toHaveLength(before + 1);
  });
});
