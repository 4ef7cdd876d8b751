import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { TextStream } from './output.ts';
import { type ProcessParts, runCommandLine } from './run.ts';

interface Person {
  readonly home: string;
  /** What is asked and noted. */
  asked(): string;
  servers(): Readonly<Record<string, unknown>>;
  /** Imports while these lines are typed; resolves with the exit code. */
  import(args: readonly string[], typed: readonly string[]): Promise<number>;
}

/** Somebody at a terminal who has Cursor and a server of the same name. */
function createPerson(): Person {
  const home = tempFolder();
  const cwd = tempFolder();
  mkdirSync(join(home, '.cursor'));
  mkdirSync(join(cwd, '.vscode'));
  const servers = { git: { command: 'theirs' }, key: { command: 'key', env: { A_TOKEN: 'sk-1' } } };
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  writeFileSync(
    join(cwd, '.vscode', 'mcp.json'),
    JSON.stringify({
      inputs: [{ type: 'promptString', id: 'key', description: 'The key', password: true }],
      servers: { asks: { command: 'asks', env: { KEY: '${input:key}' } } },
    }),
  );
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { git: { command: 'mine' } } }));
  writeFileSync(join(home, 'settings.json'), '{ "secretStore": "file" }');
  let text = '';
  const stream: TextStream = {
    isTTY: true,
    write: (chunk, done) => {
      text += String(chunk);
      done();
      return true;
    },
    on: () => undefined,
  };
  return {
    home,
    asked: () => text,
    servers: () =>
      (JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8')) as { mcpServers: Record<string, unknown> })
        .mcpServers,
    import(args, typed) {
      const left = [...typed];
      const surroundings: ProcessParts['surroundings'] = {
        env: { TRESTLE_HOME: home },
        cwd,
        userHome: home,
        platform: 'linux',
        command: ['node', 'cli.js'],
        temporaryFolder: home,
        readInput: async () => new Uint8Array(),
        readHidden: async () => left.shift() ?? '',
        inputTerminal: true,
        readLine: async () => left.shift(),
      };
      const quiet: TextStream = { write: (_chunk, done) => (done(), true), on: () => undefined };
      const signal = new AbortController().signal;
      return runCommandLine(['import', ...args], {
        surroundings,
        stdout: quiet,
        stderr: stream,
        interruption: () => ({ signal, exitCode: () => undefined, [Symbol.dispose]: () => undefined }),
      });
    },
  };
}

it('F1: a person is asked once for all of it, then for each conflict, for the secrets, and for what VS Code would ask', async () => {
  const person = createPerson();
  expect(await person.import([], ['y', 'rename', 'y', 'sk-typed'])).toBe(0);
  expect(person.servers()).toEqual({
    git: { command: 'mine' },
    'git-cursor': { command: 'theirs' },
    key: { command: 'key', env: { A_TOKEN: '${keychain:key.env.A_TOKEN}' } },
  });
  const kept = readFileSync(join(person.home, 'state', 'secrets.json'), 'utf8');
  expect(kept).toContain('sk-1');
  expect(kept).toContain('sk-typed');
  expect(person.asked()).toMatch(/Import 2 servers into \S+, \S+, and be asked about 1 in conflict\? /);
  expect(person.asked()).toContain(
    "asks is the project's, and waits for your approval: trestle approve asks --connect",
  );
  expect(person.asked()).toContain('The key (not shown):');
  expect(person.asked()).not.toMatch(/sk-/);
  // What is kept already is not asked for again.
  expect(await person.import([], [])).toBe(0);
  expect(person.asked()).not.toContain('differs from what stands');
  // A token that was renewed there is named, and not taken over behind anybody's back.
  const file = join(person.home, '.cursor', 'mcp.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('sk-1', 'sk-2'));
  expect(await person.import([], [])).toBe(0);
  expect(person.asked()).toContain('The secret key.env.A_TOKEN differs from what stands in env.A_TOKEN there');
});

it('F1: a no changes nothing; secrets may be left where they are', async () => {
  const person = createPerson();
  const before = person.servers();
  expect(await person.import([], [''])).toBe(4);
  expect(person.servers()).toEqual(before);
  expect(existsSync(join(person.home, 'state', 'secrets.json'))).toBe(false);
  expect(await person.import(['--from', 'cursor'], ['yes', 'replace', 'no'])).toBe(0);
  expect(person.servers()).toEqual({ git: { command: 'theirs' }, key: { command: 'key', env: { A_TOKEN: 'sk-1' } } });
});

it("F1: what comes from Pi's own file into ours beside it is said to be in both", async () => {
  const person = createPerson();
  const agent = join(person.home, '.pi', 'agent');
  mkdirSync(agent, { recursive: true });
  writeFileSync(join(agent, 'mcp.json'), JSON.stringify({ mcpServers: { both: { command: 'both' } } }));
  expect(await person.import(['--from', 'pi'], ['y'])).toBe(0);
  expect(person.asked()).toContain('1 server written. Read its tools: trestle sync both');
  expect(person.asked()).not.toContain('pi mcp remove');
  expect(await person.import(['--from', 'pi', '--home', 'pi'], ['y'])).toBe(0);
  expect(person.asked()).toContain('Read its tools: trestle --home pi sync both');
  expect(person.asked()).toContain(
    `Pi itself starts both, too, while ${join(agent, 'mcp.json')} has it: pi mcp remove both`,
  );
});

it('F1: where all that is left is in conflict, that is what is said, and nothing of secrets that nobody moved', async () => {
  const person = createPerson();
  expect(await person.import(['--from', 'cursor', '--yes', '--secrets', 'move'], [])).toBe(0);
  expect(person.asked()).toContain('Secrets are kept in');
  const before = person.asked().length;
  const later = (): string => person.asked().slice(before);
  expect(await person.import(['--from', 'cursor'], [''])).toBe(4);
  expect(later()).toContain('Decide on 1 server in conflict, in ');
  expect(later()).toContain(
    'Nothing was written, yours are kept. To have both: trestle import --from cursor --yes --conflicts rename',
  );
  expect(await person.import(['--from', 'cursor'], ['y', 'rename'])).toBe(0);
  expect(later()).toContain('1 server written. Read its tools: trestle sync git-cursor');
  expect(later()).not.toContain('Secrets are kept in');
});
