import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/index.ts';
import type { ConfigView } from '../../config/index.ts';
import { createProjects } from './projects.ts';

const user: ConfigView = { servers: new Map(), waiting: new Map(), broken: new Map(), notices: [] };

it('K3: the rules of one project hold however many servers others have', () => {
  const home = tempFolder();
  const places = { serversFile: join(home, 'servers.json'), settingsFile: join(home, 'settings.json') };
  const projects = createProjects(places, {
    clock: createManualClock(),
    userHome: home,
    trust: { stamp: () => '', verdict: () => 'approved' },
    onProject: () => {},
  });
  const work = (names: readonly string[]): ConfigView => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, '.git'));
    const entries = names.map((name) => [name, { command: 'x', tools: { deny: ['rm'] } }]);
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) as unknown }));
    return projects.over(user, { caller: { env: {}, cwd }, scope: 'library' }, 'now');
  };
  const one = work(['one']).servers.get('one')?.registryName ?? '';
  for (let other = 0; other < 3; other += 1) {
    work(Array.from({ length: limits.projectServers }, (_, at) => `other-${at}`));
    expect(projects.rulesOf(one)).toMatchObject({ deny: ['rm'] });
  }
});
