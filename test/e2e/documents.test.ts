/**
 * Every `console` block of the documents is run as it stands, block after block in one home: a line that begins with `$ ` is a
 * command, the lines below are what it prints (standard output, then standard error). `…` stands for anything: alone on
 * a line for any lines. `[exit N]` names an exit code other than 0. Every `ts` block is type-checked and run.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorCodes } from '../../src/base/index.ts';
import { createRuntime } from '../../src/index.ts';
import { cliPath, createCli, finished, stopDaemon } from '../support/cli.ts';
import { piPlace, scriptedModel } from '../support/pi.ts';
import { releases } from '../support/pi-place.ts';
import { homeWith } from '../support/home.ts';
import { freePort } from '../support/everything.ts';
import { projectRoot } from '../support/project-files.ts';
import { runTyped } from '../support/run-typed.ts';
import { callTool } from '../support/scripted-model.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Step {
  readonly command: string;
  readonly expected: readonly string[];
}

/** What the README's first command did before its first `console` block. */
const addEverything = 'trestle add everything -- npx -y @modelcontextprotocol/server-everything';

const documents = ['README.md', 'docs/commands.md', 'docs/daemon.md', 'docs/secrets.md'];
/** These begin where a server is there. */
const withServer: readonly string[] = ['README.md', 'docs/daemon.md'];

describe.each(documents)('%s', (document) => {
  it('prints what it says it prints', async () => {
    const shell = createShell();
    if (withServer.includes(document)) await shell.run(addEverything);
    for (const { command, expected } of stepsOf(readFileSync(join(projectRoot, document), 'utf8'))) {
      expect(await shell.run(command), `$ ${command}`).toMatch(patternOf(expected));
    }
  });
});

it('docs/pi.md prints what it says it prints, over a model that asks for what the prompt wants', async () => {
  const model = await scriptedModel(callTool('everything', 'get-sum', { a: 20, b: 22 }), ({ results }) => ({
    text: results.at(-1)?.text ?? '',
  }));
  const place = piPlace(model);
  const shell = createShell(place.env);
  symlinkSync(projectRoot, join(shell.cwd, 'trestle'), 'dir');
  for (const { command, expected } of stepsOf(readFileSync(join(projectRoot, 'docs/pi.md'), 'utf8'))) {
    expect(await shell.run(command), `$ ${command}`).toMatch(patternOf(expected));
  }
});

describe('docs/sign-in.md', () => {
  const markdown = readFileSync(join(projectRoot, 'docs/sign-in.md'), 'utf8');
  const shown = 'https://docs.example.com';

  it('prints what it says it prints, with the entries that it shows', { timeout: 180_000 }, async () => {
    const origin = await signInServer();
    const port = String(await freePort());
    const browser = join(projectRoot, 'test/support/headless-browser.mjs');
    const shell = createShell({ BROWSER: `"${process.execPath}" "${browser}"` });
    const home = shell.env['TRESTLE_HOME'] ?? '';
    await shell.run(`mkdir -p "$TRESTLE_HOME" && echo '{ "secretStore": "file" }' > "$TRESTLE_HOME/settings.json"`);
    await shell.run('echo a-secret-of-its-own > the-secret');
    const here = (written: string): string => written.replaceAll(shown, origin).replaceAll('8123', port);
    const printedBy = (command: string): Promise<string> =>
      command.endsWith('--no-browser') ? signInElsewhere(shell, command) : shell.run(here(command));
    for (const [at, part] of markdown.split(/^```json\n(\{\n {2}"mcpServers".*?)^```$/gms).entries()) {
      // What stands between two texts is an entry.
      if (at % 2 === 1) writeFileSync(join(home, 'servers.json'), here(part));
      for (const { command, expected } of at % 2 === 1 ? [] : stepsOf(part)) {
        const printed = (await printedBy(command)).replaceAll(origin, shown);
        // Where to sign in by hand is another address each time.
        const stays = printed.replace(/^Sign in in the browser.*\n\n.*\n\n/m, '');
        expect(stays, `$ ${command}`).toMatch(patternOf(expected));
      }
    }
  });

  it('asks at a terminal as it says', async () => {
    const origin = await signInServer();
    const [, command = '', question = ''] = /^```text\n\$ trestle (.*?)\n(.*?)^```$/ms.exec(markdown) ?? [];
    const home = homeWith({ docs: { url: `${origin}/mcp` } });
    const { stderr } = await runTyped(command, { home, lines: ['n'] });
    expect(stderr.replaceAll(new URL(origin).host, 'docs.example.com')).toContain(question.trimEnd());
  });
});

describe('the pattern of a console block', () => {
  it('matches the lines as they stand, and nothing else', () => {
    expect('a\nb\n').toMatch(patternOf(['a', 'b']));
    expect('a\nb\nc\n').not.toMatch(patternOf(['a', 'b']));
    expect('a\nx\ny\nc d e\n').toMatch(patternOf(['a', '…', 'c … e']));
    expect('a\nc\n').toMatch(patternOf(['a', '…', 'c']));
  });
});

it('every document says something that is run', () => {
  for (const document of documents) {
    expect(stepsOf(readFileSync(join(projectRoot, document), 'utf8')).length, document).toBeGreaterThan(3);
  }
});

describe.each(['README.md', 'docs/library.md', 'docs/consent.md'])('the TypeScript of %s', (document) => {
  const blocks = [...readFileSync(join(projectRoot, document), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code]) => code ?? '',
  );

  it.each(blocks.map((code, at) => [at + 1, code] as const))('block %i runs', async (_, code) => {
    const shell = createShell();
    await shell.run(addEverything);
    const folder = tempFolder();
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(projectRoot, join(folder, 'node_modules', 'trestle'), 'dir');
    const file = join(folder, 'example.mts');
    // The example's own home is a stand-in. It has to end by itself: without a close it would wait for its servers.
    writeFileSync(file, code.replace(`{ home: '/path/to/home' }`, ''));
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      env: shell.env,
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).not.toBe('');
  });
});

it('docs/library.md lists every method of the runtime, and no others', async () => {
  const runtime = createRuntime({ home: tempFolder(), reconcile: false });
  const methods = Object.entries(runtime).flatMap(([name, member]) => (typeof member === 'function' ? [name] : []));
  await runtime.close();
  const [, table = ''] =
    /^\| method \| gives \|\n(.*?)\n\n/ms.exec(readFileSync(join(projectRoot, 'docs/library.md'), 'utf8')) ?? [];
  const listed = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name),
  );
  expect(listed.toSorted()).toEqual(methods.toSorted());
});

it('docs/errors.md lists every code with its category', () => {
  const listed = [
    ...readFileSync(join(projectRoot, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` \| ([\w-]+) \|/gm),
  ];
  expect(Object.fromEntries(listed.map(([, code, category]) => [code, category]))).toEqual(errorCodes);
});

function stepsOf(markdown: string): readonly Step[] {
  return [...markdown.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block]) => {
    const steps: { command: string; expected: string[] }[] = [];
    for (const line of (block ?? '').trimEnd().split('\n')) {
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), expected: [] });
      else steps.at(-1)?.expected.push(line);
    }
    return steps;
  });
}

function patternOf(lines: readonly string[]): RegExp {
  const body = lines
    .map((line) => (line === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escape).join('.*')}\\n`))
    .join('');
  return new RegExp(`^${body}$`);
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

interface Shell {
  readonly env: Readonly<Record<string, string>>;
  /** Where the commands run. */
  readonly cwd: string;
  run(command: string): Promise<string>;
}

/**
 * A shell in which `trestle` is the built command, `pi` the newest Pi, and `npx -y PACKAGE` starts the installed package, without a
 * network.
 */
function createShell(more: Readonly<Record<string, string>> = {}): Shell {
  const { home: userHome, cwd } = createCli();
  // Where the documents say it is.
  const home = join(userHome, '.trestle');
  const programs = tempFolder();
  const bin = join(projectRoot, 'node_modules', '.bin');
  program(join(programs, 'trestle'), `exec "${process.execPath}" "${cliPath}" "$@"`);
  program(join(programs, 'pi'), `exec "${process.execPath}" "${releases.newest}" "$@"`);
  program(join(programs, 'npx'), `shift; name=\${1#@modelcontextprotocol/}; shift; exec "${bin}/mcp-$name" "$@"`);
  const path = [programs, bin, process.env['PATH'] ?? ''].join(delimiter);
  const env = { NO_COLOR: '1', ...more, PATH: path, HOME: userHome, TRESTLE_HOME: home };
  onTestFinished(() => stopDaemon(home));
  return {
    env,
    cwd,
    async run(command) {
      const { code, stdout, stderr } = await finished(spawn('sh', ['-c', command], { cwd, env }));
      // Whether npx has to download depends on the machine.
      const said = stderr.replaceAll(/^.*: npx is downloading .*\n/gm, '');
      return `${stdout}${said}${code === 0 ? '' : `[exit ${code}]\n`}`;
    },
  };
}

/**
 * Runs a login whose browser is on another machine: the page that it shows is opened, and the address where that ended is typed. What then
 * stands at the terminal, in its order.
 */
async function signInElsewhere({ cwd, env }: Shell, command: string): Promise<string> {
  const child = spawn('sh', ['-c', `${command} 2>&1`], { cwd, env });
  let text = '';
  const seen = async (): Promise<void> => {
    const [, page] = /^ {2}(http\S+)\n[^]*paste the address where it ended:\n$/m.exec(text) ?? [];
    if (page === undefined) return;
    const { headers } = await fetch(page, { redirect: 'manual' });
    const typed = `${headers.get('location')}\n`;
    text += typed;
    child.stdin.end(typed);
  };
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
    void seen();
  });
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}

/** The origin of a server behind a sign-in, in a process of its own. */
async function signInServer(): Promise<string> {
  const child = spawn(process.execPath, [join(projectRoot, 'test/servers/sign-in.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  for await (const url of createInterface({ input: child.stdout })) return new URL(url).origin;
  throw new Error('the server said no URL');
}

function program(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}
