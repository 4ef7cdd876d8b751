import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someCatalogue, someTool } from '../../../test/support/catalogue.ts';
import { configureServers, homeWith } from '../../../test/support/home.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { trestleHome } from '../../../test/support/trestle-home.ts';
import { openRegistry } from '../../registry/index.ts';
import { placesOf } from '../../runtime/index.ts';
import { openSecretStore } from '../../secrets/index.ts';
import type { Surroundings } from '../surroundings.ts';
import { complete } from './complete.ts';
import { lineCompletions } from './line-completions.ts';

const inputSchema = {
  type: 'object',
  properties: {
    colour: { enum: ['red', 'blue', 'two words', '$(reboot)'] },
    loud: { type: 'boolean' },
    text: { type: 'string', description: 'What to say.\n\u001B[31mOr not.' },
  },
  required: ['text'],
};

/** A home with a server that is known well, and one that is only configured. */
async function home(): Promise<string> {
  const folder = homeWith({ demo: { command: 'x' }, other: { command: 'y' } });
  const tools = [
    { ...someTool('say'), description: 'Says it.', inputSchema },
    someTool('sing'),
    someTool('s; reboot'),
    someTool('$(reboot)'),
    someTool('two words'),
    someTool('-rf'),
    someTool('grüße'),
  ];
  const prompts = [{ name: 'greet', arguments: [{ name: 'city', required: true }, { name: 'state' }] }];
  await openRegistry(join(folder, 'registry')).apply(someCatalogue('demo', { tools, prompts }), { nowMs: 1 });
  return folder;
}

function surroundings(folder: string): Surroundings {
  const cwd = tempFolder();
  return {
    env: { TRESTLE_HOME: folder },
    cwd,
    userHome: cwd,
    platform: 'linux',
    command: ['node', 'cli.js'],
    temporaryFolder: cwd,
    readInput: () => Promise.resolve(new Uint8Array()),
    inputTerminal: false,
    readLine: () => Promise.resolve(undefined),
  };
}

const program = { name: 'trestle' };

/** What is offered at the end of a line, without descriptions. */
async function offered(line: string, folder: string): Promise<readonly string[]> {
  const words = line.split(' ').slice(1);
  const replies = await complete(['words', '--', ...words], surroundings(folder), program);
  return replies.map((reply) => reply.split('\t')[0] ?? '');
}

describe('what Tab offers', () => {
  it.each([
    ['trestle comp', ['completion']],
    ['trestle help sho', ['show']],
    ['trestle --js', ['--json']],
    ['trestle call ', ['demo', 'other']],
    ['trestle rm o', ['other']],
    ['trestle --home nowhere call ', []],
    ['trestle call demo s', ['say', 'sing']],
    ['trestle show --timeout 3 demo si', ['sing']],
    ['trestle call demo ', ['grüße', 'say', 'sing']],
    ['trestle call other ', []],
    ['trestle call nobody ', []],
    ['trestle call demo say ', ['text=', 'colour=', 'loud=']],
    ['trestle call demo say text=x ', ['colour=', 'loud=']],
    ['trestle call demo say text=x loud:=true ', ['colour=']],
    ['trestle call demo say colour=', ['colour=red', 'colour=blue']],
    ['trestle call demo say loud=t', ['loud=true']],
    ['trestle call demo say text=', []],
    ['trestle prompt demo ', ['greet']],
    ['trestle prompt demo greet city=Bern ', ['state=']],
    ['trestle read demo d', ['demo://one']],
    ['trestle completion ', ['bash', 'zsh', 'fish']],
    ['trestle search --server ', ['demo', 'other']],
    ['trestle search read --server=o', ['--server=other']],
    ['trestle add x --transport ', ['auto', 'streamable', 'sse', 'events']],
    ['trestle add x --transport=s', ['--transport=streamable', '--transport=sse']],
    ['trestle call demo say -o ', [':files']],
    ['trestle call say -- node ', [':files']],
    ['trestle call demo say --timeout ', []],
    ['trestle list demo ', []],
    ['trestle nonsense ', []],
  ])('L1: %j: %j', async (line, expected) => expect(await offered(line, await home())).toEqual(expected));

  it('L1: secrets are offered by name, and in hosts as references after NAME=; those of sign-ins are not', async () => {
    const folder = await home();
    const entry = { url: 'https://a.example', headers: { Authorization: 'Bearer ${keychain:missing}' } };
    configureServers(folder, { demo: entry });
    const store = openSecretStore({ stateFolder: join(folder, 'state'), env: {}, platform: 'linux', prefer: 'file' });
    await store.set('kept', 'a value');
    await store.set('oauth:1', 'a token');
    expect(await offered('trestle secret remove ', folder)).toEqual(['kept', 'missing']);
    expect(await offered('trestle secret set m', folder)).toEqual(['missing']);
    expect(await offered('trestle secret list ', folder)).toEqual([]);
    // A shell would take it for a variable of its own.
    expect(await offered('trestle add x --env A=', folder)).toEqual([]);
    const { runtime } = trestleHome({}, { places: placesOf(folder) });
    const inHost = async (line: string): Promise<readonly string[]> =>
      (await lineCompletions(line, { runtime, program })).map((completion) => completion.line);
    expect(await inHost('add x --env A=')).toEqual([
      "add x --env 'A=${keychain:kept}' ",
      "add x --env 'A=${keychain:missing}' ",
    ]);
    expect(await inHost('add x --header=Key=')).toHaveLength(2);
    expect(await inHost('add x --env A')).toEqual([]);
  });

  it('L1: flags that were given are not offered again, unless they may be', async () => {
    const folder = await home();
    const flags = await offered('trestle add x --url https://a.example --env A --', folder);
    expect(flags).toContain('--env');
    expect(flags).toContain('--home');
    expect(flags).not.toContain('--url');
  });

  it('C5: descriptions are clean and stand on one line', async () => {
    const [text] = await complete(['words', '--', 'call', 'demo', 'say', ''], surroundings(await home()), program);
    expect(text).toBe('text=\tWhat to say. Or not.');
  });

  it('L1: where a shell breaks words at more than spaces, only the rest of the word is offered', async () => {
    const folder = await home();
    const asked = (line: string): Promise<readonly string[]> =>
      complete(['line', line, ' \t"\'=:'], surroundings(folder), program);
    expect(await asked('trestle call demo say colour=b')).toEqual(['blue']);
    expect(await asked('trestle read demo demo:')).toEqual(['//one']);
    expect(await asked('trestle add x --transport=st')).toEqual(['streamable']);
    expect(await asked("trestle call 'de")).toEqual([]);
    expect(await asked("trestle call 'demo' sin")).toEqual(['sing\tDoes sing.']);
  });

  it('L1: says nothing where it cannot help', async () => {
    const folder = await home();
    writeFileSync(join(folder, 'servers.json'), '{');
    expect(await offered('trestle call ', folder)).toEqual(['demo']);
    writeFileSync(join(folder, 'registry', 'demo', 'meta.json'), '{');
    expect(await offered('trestle call ', folder)).toEqual([]);
    expect(await complete(['words'], { ...surroundings(folder), cwd: '/nowhere' }, program)).not.toContain('error');
    expect(await complete([], surroundings(folder), program)).toEqual([]);
  });
});
