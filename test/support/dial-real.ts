import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { silentLog, systemClock } from '../../src/base/index.ts';
import { dial, type DialOptions, type Session } from '../../src/session/index.ts';
import { createHttpClient, type Endpoint } from '../../src/wire/index.ts';
import { httpEndpoint, testDeadline } from './dial-fake.ts';
import { testKeeper, testServer } from './stdio-link.ts';
import { tempFolder } from './temp-folder.ts';

/** A session with a real server; closed when the running test ends. */
export async function dialReal(endpoint: Endpoint, options: Partial<DialOptions> = {}): Promise<Session> {
  const http = createHttpClient({ clock: systemClock });
  onTestFinished(() => http.close());
  const session = await dial({
    server: 'modern',
    endpoint,
    definitionHash: 'hash',
    protocol: 'auto',
    protocolVersions: [],
    eras: { get: () => undefined, set() {}, forget() {} },
    wire: { clock: systemClock, log: silentLog, keeper: testKeeper(), http },
    client: { name: 'trestle', version: '0.0.0' },
    deadline: testDeadline(),
    ...options,
    ports: { roots: () => [], ...options.ports },
  });
  onTestFinished(() => session.close());
  return session;
}

export type Transport = 'stdio' | 'http';

/** A file of test/servers over either transport; over HTTP it prints its URL first. */
export async function realServer(transport: Transport, file: string, ...args: readonly string[]): Promise<Endpoint> {
  const endpoint = testServer(file, transport, ...args);
  if (transport === 'stdio') return endpoint;
  const child = spawn(endpoint.command, endpoint.args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  for await (const url of createInterface({ input: child.stdout })) return { ...httpEndpoint, url };
  throw new Error(`${file} said no URL`);
}

export interface ModernVices {
  readonly endpoint: Endpoint;
  /** What it did, a line each. */
  readonly ran: () => readonly string[];
}

/** test/servers/modern-vices.ts. */
export async function modernVices(transport: Transport, listening = 'good'): Promise<ModernVices> {
  const file = join(tempFolder(), 'ran');
  writeFileSync(file, '');
  const endpoint = await realServer(transport, 'modern-vices.ts', file, listening);
  return { endpoint, ran: () => readFileSync(file, 'utf8').split('\n').slice(0, -1) };
}
