/** Which functions a start of the command calls: found by starting the command that is being built. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Bundle } from './chunk.ts';

/** What is asked of the registry alone, the first time to have its index made, and one refusal. With the exit codes. */
const runs: readonly (readonly [exitCode: number, ...args: string[]])[] = [
  [0, 'list'],
  [0, 'list'],
  [0, 'show', 'sample', 'say'],
  [0, 'validate'],
  [2, 'call', 'sample', 'say', 'loud=yes'],
];

/** Where the functions begin that were called, by the name of the bundled file. Throws when a command ends as it should not. */
export function calledFunctions(bundle: Bundle): ReadonlyMap<string, ReadonlySet<number>> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-build-'));
  try {
    const coverage = join(folder, 'coverage');
    const home = join(folder, 'home');
    writeBundle(join(folder, 'dist'), bundle);
    writeSampleHome(home);
    const env = {
      ...process.env,
      HOME: home,
      USERPROFILE: home,
      TRESTLE_HOME: home,
      TRESTLE_NO_DAEMON: '1',
      NODE_DISABLE_COMPILE_CACHE: '1',
      NODE_V8_COVERAGE: coverage,
    };
    for (const [exitCode, ...args] of runs) {
      const { status, stderr } = spawnSync(process.execPath, [join(folder, 'dist/cli.js'), ...args], {
        cwd: home,
        env,
      });
      if (status !== exitCode) throw new Error(`trestle ${args.join(' ')} ended with ${status}: ${String(stderr)}`);
    }
    return startsOfCalled(coverage);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeBundle(folder: string, bundle: Bundle): void {
  for (const { fileName, code, source } of Object.values(bundle)) {
    const path = join(folder, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code ?? source ?? '');
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}

/** A home with one server that has one tool. */
function writeSampleHome(home: string): void {
  const server = join(home, 'registry/sample');
  mkdirSync(join(server, 'tools'), { recursive: true });
  const write = (path: string, value: unknown): void => writeFileSync(path, JSON.stringify(value));
  const command = { command: 'sample', args: ['--fast'], env: { LEVEL: '1' } };
  write(join(home, 'servers.json'), { mcpServers: { sample: command } });
  write(join(server, 'meta.json'), {
    name: 'sample',
    description: 'A server.',
    instructions: '',
    transport: { kind: 'stdio', ...command },
    auth: { kind: 'none' },
    lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
    capabilities: { tools: {} },
    syncedFrom: 'live-server',
    syncedAt: '2026-01-01T00:00:00.000Z',
  });
  const members = { text: { type: 'string', description: 'What to say.' }, times: { type: 'integer', minimum: 1 } };
  const inputSchema = { type: 'object', properties: members, required: ['text'], additionalProperties: false };
  write(join(server, 'tools/say.json'), { name: 'say', description: 'Says something.', inputSchema });
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

function startsOfCalled(folder: string): ReadonlyMap<string, ReadonlySet<number>> {
  const called = new Map<string, Set<number>>();
  for (const file of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      const starts = called.get(basename(url)) ?? new Set();
      called.set(basename(url), starts);
      for (const { ranges } of functions) {
        const [whole] = ranges;
        if (whole !== undefined && whole.count > 0) starts.add(whole.startOffset);
      }
    }
  }
  return called;
}
