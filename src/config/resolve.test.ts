import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { type JsonObject, TrestleError } from '../base/index.ts';
import { adHocDefinition, foreignUrlDefinition } from './ad-hoc.ts';
import type { Definition, ResolvedServer } from './definition.ts';
import { loadConfig } from './load.ts';
import { referencedVariables } from './referenced.ts';
import { resolveDefinition } from './resolve-definition.ts';
import type { ResolveContext } from './where-it-runs.ts';

const context: ResolveContext = {
  env: {
    PATH: '/bin',
    HOME: '/home/me',
    TOKEN: 'token-value-1',
    EMPTY: '',
    SHORT: 'abc',
    UNRELATED: 'never-passed-on',
  },
  platform: 'linux',
  userHome: resolve('/home/me'),
  cwd: resolve('/home/me/here'),
};

const folder = (): string => tempFolder();

function define(entry: JsonObject, home = folder()): Definition {
  const serversFile = join(home, 'servers.json');
  writeFileSync(serversFile, JSON.stringify({ mcpServers: { it: entry } }));
  const { servers, broken } = loadConfig({ serversFile, settingsFile: '' });
  const definition = servers.get('it');
  if (definition === undefined) throw broken.get('it') ?? new Error('no definition');
  return definition;
}

async function args(...given: readonly string[]): Promise<readonly string[]> {
  const { endpoint } = await resolveDefinition(adHocDefinition({ command: 'x', args: given }), context);
  return endpoint.kind === 'stdio' ? endpoint.args : [];
}

async function refusal(work: Promise<unknown>): Promise<TrestleError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof TrestleError) return thrown;
  throw new Error('nothing was thrown');
}

describe('references', () => {
  it.each([
    ['${TOKEN}', 'token-value-1'],
    ['a-${TOKEN}-${SHORT}-b', 'a-token-value-1-abc-b'],
    ['${env:TOKEN}', 'token-value-1'],
    ['${env.TOKEN}', 'token-value-1'],
    ['$env:TOKEN', 'token-value-1'],
    ['x$env:TOKEN', 'x$env:TOKEN'],
    ['${NONE:-fallback}', 'fallback'],
    ['${TOKEN:-fallback}', 'token-value-1'],
    ['${NONE:-}', ''],
    ['${EMPTY}', ''],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${NONE:-${TOKEN}!}', 'token-value-1!'],
    ['${NONE:-${ALSO_NONE:-deep}}', 'deep'],
    ['${env:NONE:-fallback}', 'fallback'],
    ['$${TOKEN}', '${TOKEN}'],
    ['$${NONE:-x} ${TOKEN}', '${NONE:-x} token-value-1'],
    ['${unclosed', '${unclosed'],
    ['$HOME $ 100$', '$HOME $ 100$'],
    ['}{$', '}{$'],
  ])('K5: %s is %s', async (text, value) => {
    expect(await args(text)).toEqual([value]);
  });

  it('K5: the value of a variable is not looked at again', async () => {
    const definition = adHocDefinition({ command: 'x', args: ['${A}'] });
    const { endpoint } = await resolveDefinition(definition, { ...context, env: { A: '${TOKEN} $env:TOKEN' } });
    expect(endpoint).toMatchObject({ args: ['${TOKEN} $env:TOKEN'] });
  });

  it('K5: they stand in command, args, env, cwd, url and headers', async () => {
    const stdio = define({ command: '${TOKEN}', args: ['${TOKEN}'], env: { A: '${TOKEN}' }, cwd: '/x/${TOKEN}' });
    expect((await resolveDefinition(stdio, context)).endpoint).toMatchObject({
      command: 'token-value-1',
      args: ['token-value-1'],
      env: { A: 'token-value-1' },
      cwd: resolve('/x/token-value-1'),
    });
    const http = define({ url: 'https://x/${TOKEN}', headers: { A: 'B ${TOKEN}' } });
    expect((await resolveDefinition(http, context)).endpoint).toMatchObject({
      url: 'https://x/token-value-1',
      headers: { A: 'B token-value-1' },
    });
  });

  it.each<[string, JsonObject, string]>([
    ['command', { command: '${NONE}' }, 'command'],
    ['args', { command: 'x', args: ['a', '${NONE}'] }, 'args[1]'],
    ['env', { command: 'x', env: { KEY: '${NONE}' } }, 'env.KEY'],
    ['cwd', { command: 'x', cwd: '${NONE}' }, 'cwd'],
    ['url', { url: 'https://${NONE}' }, 'url'],
    ['headers', { url: 'https://x', headers: { A: '${NONE}' } }, 'headers.A'],
  ])('K5: a missing variable in %s is named with server and member', async (_, entry, member) => {
    const error = await refusal(resolveDefinition(define(entry), context));
    expect(error).toMatchObject({ code: 'missing_variable', server: 'it', details: { variable: 'NONE', member } });
    expect(error.message).toBe(`Server "it": ${member} refers to the environment variable NONE, which is not set.`);
    expect(error.hint).toContain('${NONE:-default}');
  });

  it('K5: words in braces that are no reference are told', async () => {
    for (const text of ['${}', '${a b}', '${x[0]}', '${input:token}', '${keychain:}', '${keychain:a b}']) {
      expect((await refusal(args(text))).hint).toContain(`$${text}`);
    }
  });

  describe('to secrets', () => {
    const kept = new Map([['github', 'value-in-keychain']]);
    const asked: string[] = [];
    const secrets = {
      place: "the system's keychain",
      get(name: string): Promise<string | undefined> {
        asked.push(name);
        return name === 'locked' ? Promise.reject(new Error('locked')) : Promise.resolve(kept.get(name));
      },
    };
    const withSecrets = (...given: readonly string[]): Promise<ResolvedServer> =>
      resolveDefinition(adHocDefinition({ command: 'x', args: given }), { ...context, secrets });

    it('K5, K4: are replaced, and what they give is secret', async () => {
      const { endpoint, secrets: known } = await withSecrets('a', 'x-${keychain:github}', '${keychain:none:-${SHORT}}');
      expect(endpoint).toMatchObject({ args: ['a', 'x-value-in-keychain', 'abc'] });
      expect(known).toEqual(['value-in-keychain', 'abc']);
    });

    it('K5: a missing one is named with the command that sets it', async () => {
      const error = await refusal(withSecrets('${keychain:none}'));
      expect(error).toMatchObject({ code: 'missing_secret', details: { secret: 'none', member: 'args[0]' } });
      expect(error.message).toContain("args[0] refers to the secret none, which is not in the system's keychain");
      expect(error.hint).toBe('Set it: trestle secret set none');
      expect((await refusal(args('${keychain:github}'))).code).toBe('missing_secret');
    });

    it('K5: one that cannot be had is an error only where it is needed', async () => {
      expect((await withSecrets('${TOKEN:-${keychain:locked}}')).endpoint).toMatchObject({ args: ['token-value-1'] });
      await expect(withSecrets('${keychain:locked}')).rejects.toThrow('locked');
    });

    it('K5: nothing is asked of the keychain for a definition without such references', async () => {
      asked.length = 0;
      await withSecrets('${TOKEN}', '$${keychain:github}');
      expect(asked).toEqual([]);
    });
  });

  it('K5: on Windows names of variables have no case', async () => {
    const definition = adHocDefinition({ command: 'x', args: ['${token}', '${ProgramFiles(x86)}'] });
    const env = { Token: 'found', 'ProgramFiles(x86)': 'C:\\P' };
    expect((await resolveDefinition(definition, { ...context, env, platform: 'win32' })).endpoint).toMatchObject({
      args: ['found', 'C:\\P'],
    });
    expect((await refusal(resolveDefinition(definition, { ...context, env }))).code).toBe('missing_variable');
  });

  it('K5: the variables of a definition are listed once each', () => {
    const definition = define({
      command: '${A}',
      args: ['${B:-${C}}', '$env:D', '$${E}'],
      env: { X: '${env:A}' },
      cwd: '${F}',
    });
    expect(referencedVariables(definition)).toEqual(['A', 'B', 'C', 'D', 'F']);
    expect(referencedVariables(define({ url: 'https://${H}', headers: { A: '${T}' } }))).toEqual(['H', 'T']);
  });
});

describe('folders and environment', () => {
  const cwdOf = async (definition: Definition): Promise<string | undefined> => {
    const { endpoint } = await resolveDefinition(definition, context);
    return endpoint.kind === 'stdio' ? endpoint.cwd : undefined;
  };

  it('T1: the working folder is the configured one, relative to its file, else the home folder', async () => {
    const home = folder();
    expect(await cwdOf(define({ command: 'x' }, home))).toBe(context.userHome);
    expect(await cwdOf(define({ command: 'x', cwd: 'sub/../here' }, home))).toBe(join(home, 'here'));
    expect(await cwdOf(define({ command: 'x', cwd: '${EMPTY}' }, home))).toBe(context.userHome);
    expect(await cwdOf(define({ command: 'x', cwd: '~' }, home))).toBe(context.userHome);
    expect(await cwdOf(define({ command: 'x', cwd: '~/a' }, home))).toBe(join(context.userHome, 'a'));
    expect(await cwdOf(adHocDefinition({ command: 'x', args: [] }))).toBe(context.cwd);
  });

  it('T1: project definitions run in their project', async () => {
    const definition = define({ command: 'x' });
    const from = (file: string): Definition => ({
      ...definition,
      source: { file, shape: 'mcpServers', scope: 'project' },
    });
    expect(await cwdOf(from(resolve('/home/me/p/.mcp.json')))).toBe(resolve('/home/me/p'));
    expect(await cwdOf(from(resolve('/home/me/p/.trestle/servers.json')))).toBe(resolve('/home/me/p'));
  });

  it('T1: the environment is the allow-list and the configured values', async () => {
    const { endpoint } = await resolveDefinition(define({ command: 'x', env: { A: 'b', PATH: '/mine' } }), context);
    expect(endpoint).toMatchObject({ env: { A: 'b', PATH: '/mine', HOME: '/home/me' } });
    expect(JSON.stringify(endpoint)).not.toContain('never-passed-on');
    const windows = { ...context, env: { Path: 'C:\\W' }, platform: 'win32' };
    const { endpoint: onWindows } = await resolveDefinition(
      define({ command: 'x', env: { PATH: 'C:\\mine' } }),
      windows,
    );
    expect(onWindows).toMatchObject({ env: { PATH: 'C:\\mine' } });
    expect(Object.keys(onWindows.kind === 'stdio' ? onWindows.env : {})).toEqual(['PATH']);
  });

  it('T1: a relative program is one from the working folder, a bare name and a whole line stay', async () => {
    const command = async (text: string): Promise<string> => {
      const { endpoint } = await resolveDefinition(adHocDefinition({ command: text, args: [] }), context);
      return endpoint.kind === 'stdio' ? endpoint.command : '';
    };
    expect(await command('npx')).toBe('npx');
    expect(await command('./bin/run')).toBe(resolve('/home/me/here/bin/run'));
    expect(await command('bin/run')).toBe(resolve('/home/me/here/bin/run'));
    expect(await command('~/run')).toBe(join(context.userHome, 'run'));
    expect(await command('npx -y @scope/package')).toBe('npx -y @scope/package');
  });
});

describe('a NUL character', () => {
  it.each<[string, JsonObject]>([
    ['command', { command: 'no\0de' }],
    ['args[1]', { command: 'x', args: ['a', 'b\0hunter2'] }],
    ['env.A', { command: 'x', env: { A: 'b\0hunter2' } }],
    ['cwd', { command: 'x', cwd: '/tmp\0' }],
  ])('T1: in %s is told by the member, since the system tells of none', async (member, entry) => {
    const error = await refusal(resolveDefinition(define(entry), context));
    expect(error).toMatchObject({ code: 'config_entry_invalid', details: { field: member } });
    expect(error.message).toContain(`${member} has a NUL character`);
    expect(error.message).not.toContain('hunter2');
  });
});

describe('urls and headers', () => {
  it.each([
    ['ftp://x', 'must begin with http:// or https://'],
    ['x/y', 'is no absolute URL'],
    ['https://', 'is no absolute URL'],
    ['https://me:hunter2@x/', 'holds a user name or password'],
    ['https://${TOKEN}@x/', 'holds a user name or password'],
  ])('H6: %s is refused without repeating it', async (url, problem) => {
    const error = await refusal(resolveDefinition(define({ url }), context));
    expect(error.code).toBe('config_entry_invalid');
    expect(error.message).toContain(problem);
    expect(`${error.message}${error.hint ?? ''}`).not.toMatch(/hunter2|token-value/);
  });

  it('H6: the hint for a password names headers', async () => {
    expect((await refusal(resolveDefinition(define({ url: 'https://a:b@x' }), context))).hint).toContain('headers');
  });

  it('K4: a header that HTTP does not allow is refused without its value', async () => {
    for (const headers of [{ A: 'x\r\nEvil: hunter2' }, { A: 'hunter2 \u20ac' }]) {
      const error = await refusal(resolveDefinition(define({ url: 'https://x', headers }), context));
      expect(error.message).toMatch(/HTTP does not allow/);
      expect(error.message).not.toContain('hunter2');
    }
  });
});

describe('secrets', () => {
  const secretsOf = async (entry: JsonObject): Promise<readonly string[]> =>
    (await resolveDefinition(define(entry), context)).secrets;

  it('K4: values of references are secret, those every server inherits are not', async () => {
    expect(await secretsOf({ command: 'x', args: ['${TOKEN}', '${HOME}/a', '${NONE:-${SHORT}}', '${EMPTY}'] })).toEqual(
      ['token-value-1', 'abc'],
    );
  });

  it('K4: variables with telling names are secret also when written out', async () => {
    const env = {
      API_KEY: 'k',
      my_token: 't',
      DB_PASSWORD: 'p',
      MODE: 'm',
      CREDENTIALS: 'c',
      OAUTH: 'o',
      THE_SECRET: 's',
    };
    expect([...(await secretsOf({ command: 'x', env }))].sort()).toEqual(['c', 'k', 'o', 'p', 's', 't']);
  });

  it('K4: headers are secret but three, with the parts that may appear alone', async () => {
    const headers = {
      Accept: 'a',
      'content-type': 'c',
      'User-Agent': 'u',
      'X-Any': 'plain',
      Authorization: 'Bearer abc123',
    };
    expect(await secretsOf({ url: 'https://x', headers })).toEqual(['plain', 'Bearer abc123', 'abc123']);
    const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
    expect(await secretsOf({ url: 'https://x', headers: { Authorization: basic } })).toContain('hunter2');
  });

  it('K4: a variable with the path of something that is there is no secret, unless its name says so', async () => {
    const there = tempFolder();
    const env = { ...context.env, PROJECT: there, NOWHERE: join(there, 'none'), KEY_FILE: there };
    const entry = { command: 'x', args: ['${PROJECT}', '${NOWHERE}', '${KEY_FILE:-x}'] };
    expect((await resolveDefinition(define(entry), { ...context, env })).secrets).toEqual([env.NOWHERE, there]);
    const without = { command: 'x', args: ['${PROJECT}'] };
    expect((await resolveDefinition(define(without), { ...context, env })).secrets).toEqual([]);
  });

  it('K4: arguments that follow a telling name are secret, in every spelling', async () => {
    const given = ['--token', 'value-one', '--api-key=value-two', 'PASSWORD=value-three', '--port', '8080', '-v'];
    const header = ['--header', 'Authorization: Bearer value-four', 'https://x/?page=1', 'C:/a', '--auth', '--verbose'];
    expect(await secretsOf({ command: 'x', args: [...given, ...header] })).toEqual([
      'value-one',
      'value-two',
      'value-three',
      'Bearer value-four',
      'value-four',
    ]);
  });

  it('K4: the password of an address is secret wherever the address stands', async () => {
    const address = 'postgres+ssl://me:p%40ss@host/db?sslkey=the-key';
    const found = ['p%40ss', 'p@ss', 'the-key'];
    expect(await secretsOf({ command: 'x', args: [address] })).toEqual(found);
    expect(await secretsOf({ command: 'x', env: { DATABASE_URL: address } })).toEqual(found);
  });

  it('K4: query parameters with telling names are secret, as written and decoded', async () => {
    expect(await secretsOf({ url: 'https://x/?page=1&api_key=a%2Fb&auth=z#frag' })).toEqual(['a%2Fb', 'a/b', 'z']);
  });
});

describe('hashes', () => {
  const resolved = async (entry: JsonObject, env = context.env): Promise<ResolvedServer> =>
    resolveDefinition(define(entry), { ...context, env });

  it('P1: the hash is of what is written, in any order of members and any file', async () => {
    const one = await resolved({ command: 'x', env: { A: '1', B: '${TOKEN}' } });
    const same = await resolved(
      { env: { B: '${TOKEN}', A: '1' }, command: 'x' },
      { ...context.env, TOKEN: 'other-value' },
    );
    const other = await resolved({ command: 'x', env: { A: '2', B: '${TOKEN}' } });
    expect(same.definitionHash).toBe(one.definitionHash);
    expect(other.definitionHash).not.toBe(one.definitionHash);
  });

  it('P1: the digest is of the values and PATH', async () => {
    const entry = { command: 'x', args: ['${TOKEN}'] };
    const one = await resolved(entry);
    expect((await resolved(entry)).valuesDigest).toBe(one.valuesDigest);
    expect((await resolved(entry, { ...context.env, TOKEN: 'other' })).valuesDigest).not.toBe(one.valuesDigest);
    expect((await resolved(entry, { ...context.env, PATH: '/other' })).valuesDigest).not.toBe(one.valuesDigest);
  });

  it('H8, P1: the proxies of a caller stand in the endpoint of a URL and are part of the digest', async () => {
    const entry = { url: 'https://x' };
    const direct = await resolved(entry);
    const env = { ...context.env, https_proxy: 'http://me:proxy-pass@proxy', NO_PROXY: 'localhost' };
    const one = await resolved(entry, env);
    expect(one.endpoint).toMatchObject({
      proxies: {
        https: { variable: 'https_proxy', address: 'http://me:proxy-pass@proxy' },
        http: undefined,
        exempt: 'localhost',
      },
    });
    const others = [await resolved(entry, { ...env, https_proxy: 'http://me:other@proxy' }), direct];
    for (const other of others) expect(other.valuesDigest).not.toBe(one.valuesDigest);
    expect(one.definitionHash).toBe(direct.definitionHash);
    expect((await resolved(entry, env)).valuesDigest).toBe(one.valuesDigest);
  });

  it('H8, K4: the password of a proxy is secret, its address is not', async () => {
    const env = { ...context.env, HTTP_PROXY: 'http://me:proxy-pass@proxy', HTTPS_PROXY: 'http://proxy:3128' };
    for (const entry of [{ url: 'https://x' }, { command: 'x' }]) {
      const { secrets } = await resolved(entry, env);
      expect(secrets).toContain('proxy-pass');
      expect(secrets).toContain('http://me:proxy-pass@proxy');
      expect(secrets).not.toContain('http://proxy:3128');
    }
  });

  it.each([
    ['public', 'public'],
    ['any', undefined],
  ] as const)('H11: a URL that somebody else chose leads to %s addresses as it was judged', async (reach, expected) => {
    const definition = foreignUrlDefinition('https://x.example/mcp', reach);
    const { endpoint } = await resolveDefinition(definition, context);
    expect(endpoint.kind === 'http' && endpoint.reach).toBe(expected);
  });
});
