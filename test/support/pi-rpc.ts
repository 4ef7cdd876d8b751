/** A session of the real Pi over its RPC mode: one JSON record a line, in both directions. */
import { onTestFinished } from 'vitest';
import type { PiRecord } from './pi.ts';
import { extensionPath, type PiPlace, type PiRunOptions, startPi } from './pi-place.ts';

export interface PiSession {
  /** Everything that came, in order. */
  readonly records: readonly PiRecord[];
  readonly stderr: () => string;
  readonly pid: number | undefined;
  write(record: Readonly<Record<string, unknown>>): void;
  /** The first record from `from` on that fits. */
  waitFor(fits: (record: PiRecord) => boolean, from?: number): Promise<PiRecord>;
  /** Sends a command and gives its response. */
  ask(command: Readonly<Record<string, unknown>>): Promise<PiRecord>;
  /** One prompt (or slash command) to its end; what came meanwhile. */
  prompt(message: string): Promise<readonly PiRecord[]>;
  /** Ends its input; the exit code. */
  close(): Promise<number | null>;
}

export interface PiSessionOptions extends PiRunOptions {
  readonly args?: readonly string[];
  /** How long to wait for a record. */
  readonly withinMs?: number;
}

/** Starts Pi with the built extension for one test. */
export function openPiSession(place: PiPlace, options: PiSessionOptions = {}): PiSession {
  const { args = ['--no-session', '-e', extensionPath], withinMs = 20_000 } = options;
  const child = startPi(place, ['--mode', 'rpc', ...args], options);
  const records: PiRecord[] = [];
  const waiting = new Set<() => void>();
  let stderr = '';
  let asked = 0;
  child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  onLines(child.stdout, (line) => {
    records.push(JSON.parse(line) as PiRecord);
    for (const check of waiting) check();
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));

  const waitFor: PiSession['waitFor'] = (fits, from = 0) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(check);
        const last = records.slice(-5).map((record) => JSON.stringify(record).slice(0, 500));
        reject(new Error(`the record did not come; the last ones:\n${last.join('\n')}\n${stderr}`));
      }, withinMs);
      const check = (): void => {
        const found = records.slice(from).find(fits);
        if (found === undefined) return;
        waiting.delete(check);
        clearTimeout(late);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  const write: PiSession['write'] = (record) => void child.stdin?.write(`${JSON.stringify(record)}\n`);
  const ask: PiSession['ask'] = (command) => {
    const id = `asked-${(asked += 1)}`;
    const from = records.length;
    write({ id, ...command });
    return waitFor((record) => record.type === 'response' && record['id'] === id, from);
  };
  return {
    records,
    stderr: () => stderr,
    pid: child.pid,
    write,
    waitFor,
    ask,
    async prompt(message) {
      const from = records.length;
      const { data } = (await ask({ type: 'prompt', message })) as {
        readonly data?: { readonly disposition?: string };
      };
      if (data?.disposition === 'started') await waitFor(({ type }) => type === 'agent_settled', from);
      return records.slice(from);
    },
    close() {
      child.stdin?.end();
      return exit;
    },
  };
}

/** Records end with LF alone: other line separators may stand in them. */
function onLines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
  });
}
