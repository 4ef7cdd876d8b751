/** The ways in which Pi installs the extension, and that what it then loads is what the manifest declares. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { serveOwnPackage } from '../support/package-registry.ts';
import { piPlace, scriptedModel } from '../support/pi.ts';
import { type PiPlace, type releases, runPi } from '../support/pi-place.ts';
import { projectRoot } from '../support/project-files.ts';
import type { ScriptedModel } from '../support/scripted-model.ts';
import { tempFolder } from '../support/temp-folder.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

/** Which tools of ours the model is offered by a Pi that is started so. */
async function toolsOf(
  { place, model }: Live,
  args: readonly string[] = [],
  release: keyof typeof releases = 'newest',
): Promise<readonly string[]> {
  const run = await runPi(place, ['-p', '--no-session', ...args, 'hello'], { release });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return (model.requests.at(-1)?.tools ?? []).map(({ name }) => name).filter((name) => /Mcp/.test(name));
}

interface Live {
  readonly model: ScriptedModel;
  readonly place: PiPlace;
}

async function live(): Promise<Live> {
  const model = await scriptedModel();
  return { model, place: piPlace(model) };
}

/** The packages of Pi's settings. */
function packagesOf({ agentFolder }: PiPlace): unknown {
  const settings = JSON.parse(readFileSync(join(agentFolder, 'settings.json'), 'utf8')) as { packages?: unknown };
  return settings.packages;
}

const ours = ['CallMcpTool', 'FetchMcpResource', 'ListMcpResources'];

it('N1: the manifest names one extension, as a file of the package and as the subpath `trestle/pi`', () => {
  expect(manifest.pi.extensions).toEqual([manifest.exports['./pi'].default]);
  expect(existsSync(join(projectRoot, manifest.exports['./pi'].default))).toBe(true);
  expect(manifest.keywords).toContain('pi-package');
});

describe('the extension', () => {
  it('N1: is there with `-e` and a folder, for this run alone', async () => {
    const pi = await live();
    expect(await toolsOf(pi, ['-e', projectRoot])).toEqual(ours);
    expect(await toolsOf(pi)).toEqual([]);
  });

  it.each(['newest', 'oldest'] as const)(
    'N1: is installed from a folder by the %s Pi, and removed',
    async (release) => {
      const pi = await live();
      const { place } = pi;
      symlinkSync(projectRoot, join(place.cwd, 'trestle'), 'dir');
      expect(await runPi(place, ['install', './trestle'], { release })).toMatchObject({ code: 0, stderr: '' });
      expect(await toolsOf(pi, [], release)).toEqual(ours);
      expect(await runPi(place, ['remove', './trestle'], { release })).toMatchObject({ code: 0 });
      expect(packagesOf(place)).toEqual([]);
    },
  );

  it('N1: is installed as a package of npm, which brings no other packages', async () => {
    const pi = await live();
    const { place } = pi;
    const env = { npm_config_registry: await serveOwnPackage() };
    expect(await runPi(place, ['install', `npm:${manifest.name}`], { env })).toMatchObject({ code: 0 });
    const folder = join(place.agentFolder, 'npm/node_modules');
    const lock = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8')) as { readonly packages: object };
    expect(Object.keys(lock.packages)).toEqual([`node_modules/${manifest.name}`]);
    expect(await toolsOf(pi)).toEqual(ours);
    expect(await runPi(place, ['remove', `npm:${manifest.name}`], { env })).toMatchObject({ code: 0 });
    expect(packagesOf(place)).toEqual([]);
  });

  it.runIf(hasGit)('N1: from git there is nothing to load, which is said in one sentence', async () => {
    const { place } = await live();
    const origins = tempFolder();
    const origin = join(origins, 'somebody/trestle');
    // What an installation works with.
    for (const name of ['package.json', 'package-lock.json', 'tsdown.config.ts', 'scripts', 'src']) {
      cpSync(join(projectRoot, name), join(origin, name), { recursive: true });
    }
    const git = (...words: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com', ...words], {
        cwd: origin,
        stdio: 'ignore',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'All');
    // The host's name stands for the folder.
    const env = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${origins}/.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://git.example.com/',
    };
    const installed = await runPi(place, ['install', 'git:git.example.com/somebody/trestle'], { env });
    expect(installed.code).toBe(1);
    expect(installed.stderr).toMatch(/^Trestle cannot be built here, .*npm ci.*$/m);
    expect(packagesOf(place)).toBeUndefined();
  });
});
