/** A server that is configured as `npx -y PACKAGE`, through the command line. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { configureServers } from '../support/home.ts';
import { fakeNpx, npxCacheOfEverything } from '../support/npx-cache.ts';

describe.skipIf(process.platform === 'win32')('npx', () => {
  it.each([
    { hours: 1, how: 'without npx where the package is cached', usesNpx: false },
    { hours: 25, how: 'by npx where nobody looked for a newer version for a day', usesNpx: true },
  ])('T9: call starts the server $how', async ({ hours, usesNpx }) => {
    const cli = createCli();
    const { cache, spec } = npxCacheOfEverything(undefined, hours);
    const { folder, ran } = fakeNpx();
    configureServers(cli.home, {
      everything: { command: 'npx', args: ['-y', spec], env: { npm_config_cache: cache } },
    });
    const env = { PATH: [folder, process.env['PATH']].join(delimiter) };
    const run = await cli.run(['call', 'everything', 'echo', 'message=hello'], { env });
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: 'Echo: hello\n' });
    expect(existsSync(ran)).toBe(usesNpx);
    // Once: the next process knows of it.
    if (usesNpx) await eventually(() => existsSync(join(cli.home, 'state', 'launchers.json')));
    const again = await cli.run(['call', 'everything', 'echo', 'message=hello', '--no-daemon'], { env });
    expect(again, again.stderr).toMatchObject({ code: 0, stdout: 'Echo: hello\n' });
    const runs = existsSync(ran) ? readFileSync(ran, 'utf8') : '';
    expect(runs).toBe(usesNpx ? `-y ${spec}\n` : '');
  });
});
