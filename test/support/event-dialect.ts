import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

const serverFile = join(import.meta.dirname, '../servers/event-dialect.mjs');

export interface DialectServer {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it did, one line each: `stream` for a stream that was opened, `call NAME` for a tool that ran. */
  ran(): readonly string[];
}

/** A server of the event dialect in a process of its own, until the running test ends. `settings` are those of event-dialect.mjs. */
export async function serveDialect(...settings: readonly string[]): Promise<DialectServer> {
  const file = join(tempFolder(), 'ran');
  const child = spawn(process.execPath, [serverFile, file, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', () => reject(new Error('the event-dialect server left')));
  });
  return {
    url,
    child,
    ran: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
  };
}
