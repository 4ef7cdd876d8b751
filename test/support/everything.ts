import { spawn } from 'node:child_process';
import { createServer, connect, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { referenceServer } from './cli.ts';

/** Starts `server-everything` on a free port of the loopback address for one test; resolves with the URL to dial. */
export async function startEverything(transport: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  await startHttpServer([...referenceServer('everything'), transport], port);
  return `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
}

/** Starts a program that listens on `PORT`, waits for it, and stops it when the test ends. */
export async function startHttpServer([program = '', ...args]: readonly string[], port: number): Promise<void> {
  const child = spawn(program, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${said}`);
      return isOpen(port);
    },
    `the port of ${args.join(' ')}`,
  );
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

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
