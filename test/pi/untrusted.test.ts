/** In a checkout that somebody else wrote Pi's own trust is one condition and a person's approval another; nothing starts before both. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { testServer } from '../support/cli.ts';
import { entryOf, piPlace, scriptedModel, sectionOf, trestle } from '../support/pi.ts';
import { extensionPath, type PiPlace, runPi } from '../support/pi-place.ts';
import { projectRoot } from '../support/project-files.ts';
import { callTool, repeatResults, type Turn } from '../support/scripted-model.ts';
import { type UntrustedCheckout, untrustedCheckout } from '../support/untrusted-checkout.ts';

const preload = pathToFileURL(join(projectRoot, 'test/support/trace-starts.mjs')).href;
const hasStrace = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;

/** One run in a folder, with every start and every connection of Pi's own process written down. */
async function traced(place: PiPlace, cwd: string, ...args: readonly string[]) {
  const starts = join(place.userHome, 'starts');
  const run = await runPi(place, ['-p', '--no-session', ...args, '-e', extensionPath, 'use them all'], {
    cwd,
    node: ['--import', preload],
    env: { STARTS_TRACED: starts },
  });
  const traces = existsSync(starts) ? readFileSync(starts, 'utf8').split('\n').slice(0, -1) : [];
  return { run, traces };
}

/** The model asks every server that the checkout names, by all three tools. */
function everything({ servers }: UntrustedCheckout): readonly Turn[] {
  const calls = servers.flatMap((server) => [
    ...(callTool(server, 'count').calls ?? []),
    { name: 'FetchMcpResource', arguments: { server, uri: 'count://text' } },
    { name: 'ListMcpResources', arguments: { server } },
  ]);
  return [{ calls }, { text: 'done' }];
}

describe('an untrusted checkout', () => {
  it.each([
    ['as it comes', []],
    ['with Pi told not to trust it', ['-na']],
    ['with Pi told to trust it', ['-a']],
  ] as const)('N2, K2: %s, nothing that it asks for is started or connected to', async (_how, flags) => {
    const checkout = await untrustedCheckout();
    const model = await scriptedModel(...everything(checkout));
    const place = piPlace(model);
    const { run, traces } = await traced(place, checkout.folder, ...flags);
    expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(run.stderr.split('\n').length).toBeLessThanOrEqual(2);
    expect([checkout.started(), checkout.connections()]).toEqual([[], 0]);
    expect(traces.filter((line) => line.includes('canary') || line.includes(`${checkout.port}`))).toEqual([]);
    // The trace sees what there is to be seen.
    expect(traces.some((line) => line.startsWith('["connect"'))).toBe(true);
    expect(sectionOf(model.requests[0])).toBeUndefined();
    const answers = model.requests.at(-1)?.results ?? [];
    expect(answers).toHaveLength(3 * checkout.servers.length);
    expect(answers.filter(({ text }) => text.includes('counted'))).toEqual([]);
  });

  it.runIf(hasStrace)(
    "K2: the system's own trace has no program of the checkout and no connection to its address",
    async () => {
      const checkout = await untrustedCheckout();
      const model = await scriptedModel(...everything(checkout));
      const place = piPlace(model);
      const trace = join(place.userHome, 'trace');
      const under = ['strace', '-f', '--seccomp-bpf', '-qq', '-s', '4096', '-e', 'trace=execve,connect', '-o', trace];
      const run = await runPi(place, ['-p', '--no-session', '-e', extensionPath, 'use them all'], {
        cwd: checkout.folder,
        under,
      });
      expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
      const lines = readFileSync(trace, 'utf8').split('\n');
      expect(lines.filter((line) => line.includes('canary.mjs') || line.includes(`htons(${checkout.port})`))).toEqual(
        [],
      );
      expect(lines.some((line) => line.includes('connect('))).toBe(true);
    },
  );

  it('N2, K2: what was approved is used where Pi trusts the project, and is unknown where it does not', async () => {
    const model = await scriptedModel();
    const place = piPlace(model);
    const file = join(place.userHome, 'started');
    mkdirSync(join(place.cwd, '.pi'));
    const canary = entryOf(testServer('canary.mjs', 'asked', file));
    writeFileSync(join(place.cwd, '.pi/mcp-servers.json'), JSON.stringify({ mcpServers: { asked: canary } }));
    writeFileSync(join(place.cwd, '.pi/settings.json'), '{}');
    trestle(place, 'approve', 'asked', '--connect', '--yes');
    const started = (): number => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0);
    model.say(callTool('asked', 'count'), repeatResults);
    const refused = await traced(place, place.cwd, '-na');
    expect(refused.run.stdout).toMatch(/^FINAL .*asked/);
    expect(started()).toBe(0);
    model.say(callTool('asked', 'count'), repeatResults);
    const used = await traced(place, place.cwd, '-a');
    expect(used.run).toMatchObject({ stdout: 'FINAL counted\n', stderr: '' });
    expect(started()).toBe(1);
  });
});
