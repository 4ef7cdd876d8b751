import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { applyImport, type ImportDecision } from './apply.ts';
import type { FormatId } from './format.ts';
import { type ConflictChoice, type ImportPlan, planImport } from './plan.ts';
import { readSource, type SourceReading } from './read-source.ts';
import { formats } from './table.ts';

interface Stage {
  readonly serversFile: string;
  readonly kept: Map<string, string>;
  /** Reads a file of a tool with these servers, of the project `folder`. */
  found(format: FormatId, servers: object, folder?: string): Promise<SourceReading>;
  plan(...readings: readonly SourceReading[]): ImportPlan;
  /** Writes all of a plan. */
  apply(plan: ImportPlan, choice: ConflictChoice, moveSecrets?: boolean): Promise<readonly string[]>;
}

function stage(serversText?: string): Stage {
  const home = tempFolder();
  const serversFile = join(home, 'servers.json');
  if (serversText !== undefined) writeFileSync(serversFile, serversText);
  const kept = new Map<string, string>();
  let files = 0;
  return {
    serversFile,
    kept,
    async found(format, servers, folder) {
      files += 1;
      const file = join(home, `source-${files}`);
      writeFileSync(file, JSON.stringify({ mcpServers: servers }));
      const source = { format: formats[format], file, root: home, folder };
      const reading = await readSource(source, { platform: 'linux', isProject: () => true });
      if (reading === undefined) throw new Error('there is no file');
      return reading;
    },
    plan: (...readings) => planImport(readings, { serversFile }),
    async apply({ servers }, choice, moveSecrets = false) {
      const names: string[] = [];
      for (const server of servers) {
        const decision: ImportDecision = { server, choice, moveSecrets };
        const imported = await applyImport(decision, {
          keepSecret: async (name, value) => void kept.set(name, value),
          schemaFor: async () => undefined,
        });
        if (imported !== undefined) names.push(imported.name);
      }
      return names;
    },
  };
}

const states = ({ servers }: ImportPlan): readonly string[] =>
  servers.map(({ found, state }) => `${found.name} ${state}`);

describe('the plan of an import', () => {
  it('F1: what is new, what is there already whatever it is written like, and what has the name of another', async () => {
    const at = stage(`{
      // mine
      "mcpServers": { "same": { "args": ["1"], "command": "x" }, "other": { "command": "mine" } },
      "mcp": { "shaped": { "type": "local", "command": ["y", "2"], "enabled": true } }
    }`);
    const reading = await at.found('cursor', {
      same: { command: 'x', args: ['1'] },
      shaped: { command: 'y', args: ['2'] },
      other: { command: 'theirs' },
      fresh: { command: 'z' },
    });
    const plan = at.plan(reading);
    expect(states(plan)).toEqual(['same equal', 'shaped equal', 'other conflict', 'fresh new']);
    expect(plan.servers[2]).toMatchObject({ differs: ['command'], renamed: 'other-cursor', inTheWay: 'other' });
  });

  it('F1: two tools with one name: the same server is one, another is a conflict with the first', async () => {
    const at = stage();
    const first = await at.found('claude-code', { git: { command: 'git-a' }, time: { command: 'time' } });
    const second = await at.found('cursor', { git: { command: 'git-b' }, time: { command: 'time' } });
    const plan = at.plan(first, second);
    expect(states(plan)).toEqual(['git new', 'time new', 'git conflict', 'time equal']);
    expect(await at.apply(plan, 'rename')).toEqual(['git', 'time', 'git-cursor']);
  });

  it.each(['keep', 'replace', 'rename'] as const)('F1: %s, and importing again changes nothing', async (choice) => {
    const at = stage('{ "mcpServers": { "git": { "command": "mine" /* kept */ } } }\n');
    const reading = await at.found('cursor', {
      git: { command: 'theirs', env: { API_TOKEN: 'abc' } },
      a: { command: 'a' },
    });
    await at.apply(at.plan(reading), choice, true);
    const text = readFileSync(at.serversFile, 'utf8');
    const servers = Object.keys((JSON.parse(text.replace('/* kept */', '')) as { mcpServers: object }).mcpServers);
    expect(servers).toEqual(choice === 'rename' ? ['git', 'git-cursor', 'a'] : ['git', 'a']);
    expect(text.includes('"mine"')).toBe(choice !== 'replace');
    expect(at.kept.get(choice === 'rename' ? 'git-cursor.env.API_TOKEN' : 'git.env.API_TOKEN')).toBe(
      choice === 'keep' ? undefined : 'abc',
    );
    const again = at.plan(reading);
    expect(states(again)).toEqual([choice === 'keep' ? 'git conflict' : 'git equal', 'a equal']);
    expect(await at.apply(again, choice, true)).toEqual([]);
    expect(readFileSync(at.serversFile, 'utf8')).toBe(text);
  });

  it('F1: a name that differs in case only is a conflict; replacing it takes the other one out', async () => {
    const at = stage('{ "mcpServers": { "GitHub": { "command": "mine" } } }');
    const plan = at.plan(await at.found('cursor', { github: { command: 'theirs' } }));
    expect(plan.servers).toMatchObject([{ state: 'conflict', inTheWay: 'GitHub' }]);
    expect(await at.apply(plan, 'replace')).toEqual(['github']);
    expect(JSON.parse(readFileSync(at.serversFile, 'utf8'))).toEqual({ mcpServers: { github: { command: 'theirs' } } });
  });

  it("F1: what comes from a project's file stays in that project", async () => {
    const at = stage();
    const folder = tempFolder();
    mkdirSync(join(folder, '.trestle'));
    const plan = at.plan(await at.found('cursor', { a: { command: './a', env: { A_TOKEN: 't' } } }, folder));
    await at.apply(plan, 'keep', true);
    expect(plan.servers).toMatchObject([{ target: join(folder, '.trestle', 'servers.json'), state: 'new' }]);
    expect(() => readFileSync(at.serversFile)).toThrow('ENOENT');
    // Two projects with one server have a secret each.
    expect([...at.kept.keys()]).toEqual([expect.stringMatching(/^a\.env\.A_TOKEN-[0-9a-f]{8}$/)]);
  });

  it('F1: an entry of ours that cannot be read has its name all the same, and a file that cannot be read is never written', async () => {
    const at = stage('{ "mcpServers": { "a": { "command": 5 } } }');
    expect(states(at.plan(await at.found('cursor', { a: { command: 'a' } })))).toEqual(['a conflict']);
    const broken = stage('{ "mcpServers": ');
    const reading = await broken.found('cursor', { a: { command: 'a' } });
    expect(() => broken.plan(reading)).toThrow('cannot be read');
  });

  it('F1: moved secrets leave nothing of themselves in the entry, wherever they stood', async () => {
    const at = stage();
    const servers = {
      process: {
        command: 'x',
        args: ['--api-key', 'sk-1', '--token=sk-2', 'postgres://me:sk-3@host/db', '--level', 'plain'],
        env: { GITHUB_TOKEN: 'sk-4', LEVEL: 'plain', OTHER_TOKEN: '${env:OTHER}' },
      },
      remote: {
        url: 'https://example.com/mcp?api_key=sk-5&page=1',
        headers: { Authorization: 'Bearer sk-6', 'X-Key': 'sk-7', Accept: 'plain' },
        auth: undefined,
      },
      signed: { url: 'https://example.com/mcp', auth: { CLIENT_ID: 'plain', CLIENT_SECRET: 'sk-8' } },
    };
    await at.apply(at.plan(await at.found('cursor', servers)), 'keep', true);
    const text = readFileSync(at.serversFile, 'utf8');
    expect(text).not.toContain('sk-');
    expect(text.match(/plain/g)).toHaveLength(4);
    expect(text).toContain('"Bearer ${keychain:remote.headers.Authorization}"');
    expect(text).toContain('https://example.com/mcp?api_key=${keychain:remote.url.api_key}&page=1');
    expect(Object.fromEntries(at.kept)).toEqual({
      'process.args.api-key': 'sk-1',
      'process.args.token': 'sk-2',
      'process.args.password': 'sk-3',
      'process.env.GITHUB_TOKEN': 'sk-4',
      'remote.url.api_key': 'sk-5',
      'remote.headers.Authorization': 'sk-6',
      'remote.headers.X-Key': 'sk-7',
      'signed.auth.clientSecret': 'sk-8',
    });
  });

  it('F1: one secret that stands twice is kept once; two that would have one name have two', async () => {
    const at = stage();
    const args = ['--token=sk-1', '--token=sk-1', '--token=sk-2'];
    await at.apply(at.plan(await at.found('cursor', { a: { command: 'x', args } })), 'keep', true);
    expect(Object.fromEntries(at.kept)).toEqual({ 'a.args.token': 'sk-1', 'a.args.token-2': 'sk-2' });
    expect(readFileSync(at.serversFile, 'utf8')).toContain('"--token=${keychain:a.args.token-2}"');
  });
});
