/** Which server a model may mean: files and URLs that it names connect nothing that is not the user's own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { countingHttp, countingStdio, type TestHome, trestleHome } from '../../../test/support/trestle-home.ts';
import { canonicalPathSync, limits } from '../../base/index.ts';
import type { Question } from '../../runtime/index.ts';
import type { ToolOutput } from '../tool-object.ts';
import { createAdapter } from './adapter.ts';

type Args = Readonly<Record<string, unknown>>;

interface Host extends TestHome {
  /** The host's working folder. */
  readonly cwd: string;
  readonly use: (name: 'mcp_list' | 'mcp_call' | 'mcp_request', args: Args) => Promise<ToolOutput>;
  /** Writes a file with these servers into the working folder. */
  readonly write: (file: string, mcpServers: Args) => void;
}

/** A home with the user's own servers, and a working folder elsewhere; a person who says yes to all that is asked, or nobody. */
function host(own: Args = {}, asked?: Question[]): Host {
  const ask = (question: Question): Promise<'always'> => {
    asked?.push(question);
    return Promise.resolve('always');
  };
  const home = trestleHome(own, asked === undefined ? {} : { ports: { ask } });
  const cwd = tempFolder();
  const tools = createAdapter(home.runtime, { cwd });
  return {
    ...home,
    cwd,
    use: async (name, args) => {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`no ${name}`);
      return tool.execute(args);
    },
    write: (file, mcpServers) => writeFileSync(join(cwd, file), JSON.stringify({ mcpServers })),
  };
}

const textOf = ({ content }: ToolOutput): string =>
  content.map((block) => (block.type === 'text' ? block.text : block.mimeType)).join('\n');
const jsonOf = (output: ToolOutput): unknown => {
  expect(output.isError, textOf(output)).toBe(false);
  return JSON.parse(textOf(output));
};
const codeOf = ({ details }: ToolOutput): unknown =>
  (details['failure'] as { readonly code?: string } | undefined)?.code;

const web = { url: 'https://mcp.example.org/mcp' };

describe('what a model says of its target', () => {
  it.each([
    ['neither', {}, /configPath or url is required.*servers\.json/s],
    ['both', { configPath: 'a.json', url: 'https://a.example/' }, /not both/],
    ['a server of a URL', { server: 'a', url: 'https://a.example/' }, /not both/],
    ['a server of no file', { server: 'a' }, /server needs the configPath/],
    ['an empty text', { configPath: '' }, /configPath must be a text that is not empty/],
    ['another action', { configPath: 'a.json', action: 'open' }, /action must be "list" or "close"/],
    ['a fraction of a second', { configPath: 'a.json', timeoutSeconds: 0.5 }, /a whole number from 1 to 300/],
    ['too many seconds', { configPath: 'a.json', timeoutSeconds: 301 }, /a whole number from 1 to 300/],
    ['a member that is not there', { path: 'a.json' }, /no argument "path"/],
  ])('A1: %s is refused with what it takes', async (_what, args, expected) => {
    const output = await host().use('mcp_list', args);
    expect(output).toMatchObject({ isError: true, details: { kind: 'invalid-arguments', execution: 'not-sent' } });
    expect(textOf(output)).toMatch(expected);
    expect(textOf(output)).toMatch(/It takes \{/);
  });

  it('A1: a call needs the server of its file', async () => {
    const { use, write } = host();
    write('a.json', { web });
    expect(textOf(await use('mcp_call', { tool: 't', configPath: 'a.json' }))).toMatch(/server is required/);
    expect(textOf(await use('mcp_list', { configPath: 'a.json', action: 'close' }))).toMatch(/"close" needs server/);
  });

  it('A1: where files are on another machine than the caller, configPath is refused', async () => {
    const [list] = createAdapter(trestleHome().runtime, { cwd: undefined });
    const output = await list?.execute({ configPath: 'a.json' });
    expect(output).toMatchObject({ isError: true, details: { failure: { code: 'invalid_path' } } });
  });
});

describe('a file alone', () => {
  it('A2: gives its servers and starts none; relative to the working folder', async () => {
    const counting = countingStdio();
    const { use, write, cwd } = host();
    mkdirSync(join(cwd, 'sub'));
    write('sub/servers.json', { counting: counting.entry, web, off: { ...web, enabled: false } });
    expect(jsonOf(await use('mcp_list', { configPath: 'sub/servers.json' }))).toEqual({
      servers: [
        { server: 'counting', transport: 'stdio', enabled: true },
        { server: 'off', transport: 'http', enabled: false },
        { server: 'web', transport: 'http', enabled: true },
      ],
      note: expect.stringContaining('Listed only') as string,
    });
    expect(counting.ran()).toEqual([]);
  });

  it("A1: the user's own file is listed without a note", async () => {
    const { use, runtime } = host({ web });
    const servers = [{ server: 'web', transport: 'http', enabled: true }];
    expect(jsonOf(await use('mcp_list', { configPath: runtime.places.serversFile }))).toEqual({ servers });
  });

  it('A1: one bad entry is reported by name and field, without its values; good ones are there', async () => {
    const { use, write } = host();
    write('a.json', { bad: { command: 'x', env: 'sk-very-secret' }, odd: { url: 5 }, web });
    const output = await use('mcp_list', { configPath: 'a.json' });
    expect(jsonOf(output)).toMatchObject({
      servers: [
        { server: 'web' },
        { server: 'bad', problem: expect.stringMatching(/"bad" in .*a\.json: env must be an object/) as string },
        { server: 'odd', problem: expect.stringMatching(/url must be text, got a number/) as string },
      ],
    });
    expect(JSON.stringify(output)).not.toMatch(/very-secret/);
  });

  it('A1: comments and trailing commas are fine', async () => {
    const { use, cwd } = host();
    writeFileSync(
      join(cwd, 'a.json'),
      '\uFEFF{ // mine\r\n "mcpServers": { "web": { "url": "https://a.example/", }, }, }',
    );
    expect(jsonOf(await use('mcp_list', { configPath: 'a.json' }))).toMatchObject({ servers: [{ server: 'web' }] });
  });
});

describe('a hostile file', () => {
  const refuse = async (prepare: (path: string, cwd: string) => void): Promise<string> => {
    const { use, cwd } = host();
    const path = join(cwd, 'servers.json');
    prepare(path, cwd);
    const output = await use('mcp_list', { configPath: 'servers.json' });
    expect(output).toMatchObject({ isError: true, details: { execution: 'not-sent' } });
    expect(textOf(output)).toContain('servers.json');
    return textOf(output);
  };

  it('A1: none there', async () => {
    expect(await refuse(() => {})).toMatch(/There is no file/);
  });

  it('A1: a file larger than any configuration, also a sparse one of many TiB, is not read', async () => {
    const huge = await refuse((path) => {
      writeFileSync(path, '');
      truncateSync(path, 4 * 1024 ** 4);
    });
    expect(huge).toMatch(/too large/);
    expect(await refuse((path) => writeFileSync(path, ' '.repeat(limits.namedFileBytes + 1)))).toMatch(/too large/);
  });

  it('A1: a folder, a device, a pipe nobody writes to', async () => {
    expect(await refuse((path) => mkdirSync(path))).toMatch(/it is a folder/);
    if (process.platform === 'win32') return;
    const { use } = host();
    expect(textOf(await use('mcp_list', { configPath: '/dev/zero' }))).toMatch(/a pipe or a device/);
    const pipe = await refuse((path) => execFileSync('mkfifo', [path]));
    expect(pipe).toMatch(/a pipe or a device/);
  });

  it.skipIf(process.platform === 'win32')('A1: links that lead in a circle, or to a device', async () => {
    expect(await refuse((path) => symlinkSync(path, path))).toMatch(/circle/);
    const { use, cwd } = host();
    symlinkSync('/dev/zero', join(cwd, 'zero.json'));
    expect(textOf(await use('mcp_list', { configPath: 'zero.json' }))).toMatch(/a pipe or a device/);
  });

  it.skipIf(process.platform !== 'linux')(
    'A1: a file that says it is empty and is not, is read within the bound',
    async () => {
      const { use } = host();
      const output = await use('mcp_list', { configPath: '/proc/self/environ' });
      expect(textOf(output)).toMatch(/no JSON/);
      expect(textOf(output)).not.toContain(process.env['PATH']);
    },
  );

  it.each([
    ['bytes that are no text', Buffer.from([0, 255, 254, 1, 2, 200])],
    ['text that is no JSON', 'api_key = very-secret'],
    ['a text in the wrong place', '{"mcpServers": "very-secret" "x"}'],
    ['a text where servers belong', '{"mcpServers": "very-secret"}'],
    ['a list', '["very-secret"]'],
    ['a comment that never ends', `/*${'very-secret '.repeat(100_000)}`],
    ['lists in lists', '['.repeat(1_000_000)],
  ])('A1: %s: an error that quotes nothing of it', async (_what, contents) => {
    const told = await refuse((path) => writeFileSync(path, contents));
    expect(told).toMatch(/cannot be read.*\(config_unreadable\)/);
    expect(told).not.toContain('very-secret');
    expect(told.length).toBeLessThan(1_000);
  });

  it('A1: a name that stands a hundred thousand times costs no more than another file', async () => {
    const { use, cwd } = host();
    const twice = '"a":1,\n'.repeat(200_000);
    writeFileSync(join(cwd, 'a.json'), `{"mcpServers": {${twice} "web": {"url": "https://a.example/"}}}`);
    const output = await use('mcp_list', { configPath: 'a.json' });
    expect(jsonOf(output)).toMatchObject({
      servers: [{ server: 'web' }, { server: 'a', problem: expect.stringMatching(/twice/) as string }],
    });
  });

  it('A1: tens of thousands of names that differ in case only, or twice each', async () => {
    const { use, cwd } = host();
    const names = Array.from({ length: 32_768 }, (_, index) =>
      index.toString(2).padStart(15, '0').replaceAll('0', 'a').replaceAll('1', 'A'),
    );
    const entries = names.map((name) => `"${name}":{}`);
    writeFileSync(join(cwd, 'a.json'), `{"mcpServers": {${[...entries, ...entries].join()}}}`);
    const output = await use('mcp_list', { configPath: 'a.json' });
    expect(output.isError).toBe(false);
    expect(textOf(output)).toMatch(/Output cut/);
  });

  it('A1: a NUL in the path is refused without looking', async () => {
    expect(codeOf(await host().use('mcp_list', { configPath: 'a\0.json' }))).toBe('invalid_path');
  });
});

describe('a server of a file', () => {
  it("A1: of the user's own file it is connected by its name", async () => {
    const counting = countingStdio();
    const { use, runtime } = host({ counting: counting.entry });
    const { serversFile } = runtime.places;
    const output = await use('mcp_call', { configPath: serversFile, server: 'counting', tool: 'count' });
    expect(output).toMatchObject({ isError: false, content: [{ text: 'counted' }] });
  });

  it("A1: of another file it is refused in one line, and nothing starts, also under the name of a user's own", async () => {
    const own = countingStdio();
    const foreign = countingStdio();
    const { use, write } = host({ counting: own.entry });
    write('.mcp.json', { counting: foreign.entry });
    const args = { configPath: '.mcp.json', server: 'counting' };
    for (const output of [await use('mcp_list', args), await use('mcp_call', { ...args, tool: 'count' })]) {
      expect(output).toMatchObject({
        isError: true,
        details: { kind: 'denied', execution: 'not-sent', failure: { code: 'approval_needed' } },
      });
      expect(textOf(output)).toMatch(
        /approve counting first: a project asks for this server.*\n.*trestle add counting/,
      );
    }
    expect([...own.ran(), ...foreign.ran()]).toEqual([]);
  });

  it("A1: one that is the same as a user's own, under whatever name, means that one", async () => {
    const counting = countingStdio();
    const { use, write } = host({ mine: { ...counting.entry, env: { A: '1' } } });
    write('a.json', { theirs: { ...counting.entry, env: { A: '1' }, timeout: 5, description: 'x' } });
    const output = await use('mcp_call', { configPath: 'a.json', server: 'theirs', tool: 'count' });
    expect(output).toMatchObject({ isError: false, details: { server: 'mine' } });
  });

  it.each([
    ['another variable', { env: { A: '2' } }],
    ['another argument', { args: ['x'] }],
    ['another folder', { cwd: 'sub' }],
  ])('A1: one that differs in %s is none of them', async (_what, difference) => {
    const counting = countingStdio();
    const { use, write } = host({ mine: { ...counting.entry, env: { A: '1' } } });
    write('a.json', { theirs: { ...counting.entry, env: { A: '1' }, ...difference } });
    const output = await use('mcp_call', { configPath: 'a.json', server: 'theirs', tool: 'count' });
    expect(codeOf(output)).toBe('approval_needed');
    expect(counting.ran()).toEqual([]);
  });

  it('A1: a program given by a relative path is another one in each file', async () => {
    const { use, write } = host({ mine: { command: './server' } });
    write('a.json', { theirs: { command: './server' } });
    expect(codeOf(await use('mcp_list', { configPath: 'a.json', server: 'theirs' }))).toBe('approval_needed');
  });

  it('A1: a disabled one is an error wherever it stands', async () => {
    const counting = countingStdio();
    const off = { ...counting.entry, enabled: false };
    const { use, write, runtime } = host({ off });
    write('a.json', { off });
    for (const configPath of ['a.json', runtime.places.serversFile]) {
      expect(codeOf(await use('mcp_list', { configPath, server: 'off' }))).toBe('disabled');
    }
    expect(counting.ran()).toEqual([]);
  });

  it('A1: a broken entry gives its own error, an unknown name the nearest', async () => {
    const { use, write } = host();
    write('a.json', { bad: { command: '' }, web });
    const broken = await use('mcp_list', { configPath: 'a.json', server: 'bad' });
    expect(textOf(broken)).toMatch(/"bad" in .*: command is empty/);
    const slip = await use('mcp_list', { configPath: 'a.json', server: 'wep' });
    expect(slip).toMatchObject({ details: { failure: { code: 'unknown_server' } } });
    expect(textOf(slip)).toMatch(/Did you mean "web"\?/);
  });
});

describe('what a person approves', () => {
  it("A1, K2: a server of any file is used with that file's definition, asked once, until a byte of it changes", async () => {
    const counting = countingStdio();
    const asked: Question[] = [];
    const { use, write, cwd } = host({}, asked);
    write('a.json', { theirs: counting.entry });
    const args = { configPath: 'a.json', server: 'theirs', tool: 'count' };
    expect(await use('mcp_call', args)).toMatchObject({ isError: false, details: { server: 'theirs' } });
    expect(await use('mcp_list', { configPath: 'a.json', server: 'theirs' })).toMatchObject({ isError: false });
    expect(asked.map(({ kind, server }) => [kind, server])).toEqual([['connect', 'theirs']]);
    expect(asked[0]?.facts).toContainEqual({ label: 'Defined in', value: canonicalPathSync(join(cwd, 'a.json')) });
    write('a.json', { theirs: { ...counting.entry, env: { A: '1' } } });
    await use('mcp_call', args);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.facts.at(-1)?.value).toMatch(/changed since it was approved/);
    expect(jsonOf(await use('mcp_list', { configPath: 'a.json', server: 'theirs', action: 'close' }))).toEqual({
      server: 'theirs',
      closed: true,
    });
  });

  it('A1, H11: an address on this machine stays out of reach whatever is answered', async () => {
    const counting = await countingHttp();
    const { use } = host({}, []);
    const output = await use('mcp_call', { url: counting.entry['url'], tool: 'count' });
    expect(codeOf(output)).toBe('address_refused');
    expect(counting.ran()).toEqual([]);
  });
});

describe('a URL', () => {
  it("A1: that a user's own definition has is reached with that definition", async () => {
    const counting = await countingHttp();
    const { use } = host({ counting: counting.entry });
    const { url } = counting.entry;
    expect(jsonOf(await use('mcp_list', { url }))).toMatchObject({ server: 'counting' });
    expect(await use('mcp_call', { url, tool: 'count' })).toMatchObject({ isError: false });
  });

  it.each([
    'https://unknown.example/mcp',
    'https://mcp.example.org/other',
    'https://mcp.example.org/mcp?x=1',
    'http://mcp.example.org/mcp',
  ])('A1, H11: %s, which none has, is refused in one line by all three', async (url) => {
    const { use } = host({ web });
    for (const [name, args] of [
      ['mcp_list', { url }],
      ['mcp_call', { url, tool: 't' }],
      ['mcp_request', { url, method: 'ping' }],
    ] as const) {
      const output = await use(name, args);
      expect(output).toMatchObject({ isError: true, details: { kind: 'denied', execution: 'not-sent' } });
      expect(textOf(output)).toMatch(/no configuration names this address.*\n.*trestle add NAME --url URL/);
    }
  });

  it.each([
    'http://127.0.0.1:9/mcp',
    'http://localhost:9/mcp',
    'http://[::1]:9/mcp',
    'http://10.0.0.1/mcp',
    'http://169.254.169.254/latest/meta-data/',
  ])('A1, H11: %s, in reach of this machine alone, is nothing to ask about: refused by all three', async (url) => {
    const asked: Question[] = [];
    const { use } = host({ web }, asked);
    for (const [name, args] of [
      ['mcp_list', { url }],
      ['mcp_call', { url, tool: 't' }],
      ['mcp_request', { url, method: 'ping' }],
    ] as const) {
      expect(codeOf(await use(name, args))).toBe('address_refused');
    }
    expect(asked).toEqual([]);
  });

  it("A1: of a host that a user's own definition names, another path is asked about, and reached after a yes", async () => {
    const counting = await countingHttp();
    const asked: Question[] = [];
    const { use } = host({ counting: counting.entry }, asked);
    const url = `${String(counting.entry['url'])}?other`;
    expect(await use('mcp_call', { url, tool: 'count' })).toMatchObject({ isError: false });
    expect(asked).toHaveLength(1);
    expect(counting.ran()).toContain('call count');
  });

  it('A1: the query of a refused URL is not repeated', async () => {
    const output = await host().use('mcp_list', { url: 'https://a.example/mcp?key=very-secret' });
    expect(JSON.stringify(output)).not.toContain('very-secret');
  });

  it.each([
    ['no URL', 'mcp.example.org', /must begin with http/],
    ['another scheme', 'file:///etc/passwd', /must begin with http/],
    ['a password', 'https://me:very-secret@mcp.example.org/mcp', /user name or password/],
  ])('A1, H6: %s is refused', async (_what, url, expected) => {
    const output = await host({ web }).use('mcp_request', { url, method: 'ping' });
    expect(output).toMatchObject({ isError: true, details: { kind: 'invalid-arguments' } });
    expect(textOf(output)).toMatch(expected);
    expect(JSON.stringify(output)).not.toContain('very-secret');
  });

  it('A1: that two of the user’s servers have is refused: it does not say as whom to act', async () => {
    const { use } = host({ home: { ...web, headers: { 'X-As': 'a' } }, work: { ...web, headers: { 'X-As': 'b' } } });
    const output = await use('mcp_list', web);
    expect(output).toMatchObject({ details: { kind: 'invalid-arguments' } });
    expect(textOf(output)).toMatch(/home, work.*\n.*configPath/);
  });

  it('A1: that a disabled server has is an error', async () => {
    expect(codeOf(await host({ web: { ...web, enabled: false } }).use('mcp_list', web))).toBe('disabled');
  });
});
