import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { referenceServer } from './cli.ts';
import { eventually } from './eventually.ts';

/** Starts `server-everything` on a port of the loopback address for one test; resolves with the URL to dial. */
export async function startEverything(transport: 'streamableHttp' | 'sse'): Promise<string> {
  const words = [...referenceServer('everything'), transport];
  // It has to be told a port, and somebody else may have taken that one meanwhile.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const { child, said } = start(words, { PORT: String(port) });
    const isOver = (): boolean => child.exitCode !== null || said().includes('in use');
    const listens = (): boolean => /(listening|running) on port/.test(said());
    await eventually(() => isOver() || listens(), `the start of ${words.join(' ')}`);
    if (listens()) return `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
    if (attempt === 3) throw new Error(`${words.join(' ')} did not start: ${said()}`);
  }
}

/** Starts a program that says the URL to dial as its first line, and stops it when the test ends. */
export async function startHttpServer(words: readonly string[]): Promise<string> {
  const { child, said } = start(words);
  const name = words.join(' ');
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${said()}`);
    return /^http.*\n/.test(said());
  }, `the URL of ${name}`);
  return said().split('\n', 1)[0] ?? '';
}

interface Started {
  readonly child: ChildProcess;
  /** All of its output up to now. */
  readonly said: () => string;
}

function start([program = '', ...args]: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  return { child, said: () => said };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
