/** What the extension costs `pi -p` where 36 servers with 940 tools are configured and none is used. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manyOffers } from '../test/support/offers.ts';
import { extensionPath, makePiPlace, type PiPlace, runPi } from '../test/support/pi-place.ts';
import { openModel, type ScriptedModel } from '../test/support/scripted-model.ts';
import { median, ms, rounds, type Row } from './table.ts';

const cli = join(import.meta.dirname, '../dist/cli.js');
const answer = 'done';
/** Of `pi -p` as a whole. */
const barMs = 60;

/** When things happened, in milliseconds from the start of the process, and what it cost. */
interface Run {
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly endedMs: number;
  /** Of the processor, which a busy machine changes less than the time. */
  readonly processorMs: number;
}

export async function measurePi(): Promise<readonly Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'trestle-bench-'));
  const model = await openModel();
  try {
    const servers = manyOffers().servers.map(({ name }) => name);
    const place = makePiPlace(root, model.url, {
      servers: Object.fromEntries(servers.map((name) => [name, { command: process.execPath, args: [server, name] }])),
    });
    // As people have it from the second day on: all descriptors are in the registry.
    execFileSync(process.execPath, [cli, 'sync', '--home', 'pi'], {
      cwd: place.cwd,
      env: { ...place.env, TRESTLE_NO_DAEMON: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const run = (...args: readonly string[]): Promise<Run> => timesOf(place, model, args);
    const withBridge = ['-e', extensionPath];
    // The first one of each fills caches.
    await run();
    await run(...withBridge);
    const without: Run[] = [];
    const withIt: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      without.push(await run());
      withIt.push(await run(...withBridge));
    }
    return rowsOf(without, withIt, servers.length);
  } finally {
    model.close();
    rmSync(root, { recursive: true, force: true });
  }
}

const server = join(import.meta.dirname, 'servers/real.ts');

/** Writes the milliseconds of the processor into the file named by SPENT when the process ends. */
const tellProcessorTime = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(process.env.SPENT, String((user + system) / 1_000));
  });`)}`;

async function timesOf(place: PiPlace, model: ScriptedModel, more: readonly string[]): Promise<Run> {
  let askedMs = NaN;
  model.say(() => {
    askedMs = performance.now();
    return { text: answer };
  });
  const spent = join(place.userHome, 'spent');
  const startedMs = performance.now();
  const { code, stdout, stderr, endedMs } = await runPi(place, ['-p', '--no-session', ...more, 'hello'], {
    node: ['--import', tellProcessorTime],
    env: { SPENT: spent },
  });
  if (code !== 0 || stdout !== `${answer}\n`) throw new Error(`Pi ended with ${code}: ${stdout}${stderr}`);
  return {
    askedMs: askedMs - startedMs,
    answeredMs: model.answeredMs() - startedMs,
    endedMs: endedMs - startedMs,
    processorMs: Number(readFileSync(spent, 'utf8')),
  };
}

function rowsOf(without: readonly Run[], withIt: readonly Run[], servers: number): readonly Row[] {
  const figure = (runs: readonly Run[], of: (run: Run) => number): number => median(runs.map(of));
  const pair = (of: (run: Run) => number): readonly [number, number] => [figure(without, of), figure(withIt, of)];
  const [alone, whole] = pair(({ endedMs }) => endedMs);
  const [askedAlone, asked] = pair(({ askedMs }) => askedMs);
  const [processorAlone, processor] = pair(({ processorMs }) => processorMs);
  const [endAlone, end] = pair(({ answeredMs, endedMs }) => endedMs - answeredMs);
  const against = (value: number): string => `pi -p alone ${ms(value)}`;
  return [
    {
      what: `pi -p with the extension (${servers} servers, none used)`,
      value: ms(whole),
      against: against(alone),
      ratio: whole / alone,
      bar: undefined,
    },
    {
      what: 'what the extension adds to it, ms',
      value: ms(whole - alone),
      against: `${barMs} ms`,
      ratio: whole - alone,
      bar: barMs,
    },
    {
      what: 'of that, until the model is asked',
      value: ms(asked - askedAlone),
      against: against(askedAlone),
      ratio: asked / askedAlone,
      bar: undefined,
    },
    {
      what: 'of that, from the answer to the end',
      value: ms(end - endAlone),
      against: against(endAlone),
      ratio: end / endAlone,
      bar: undefined,
    },
    {
      what: 'what it adds of the processor',
      value: ms(processor - processorAlone),
      against: against(processorAlone),
      ratio: processor / processorAlone,
      bar: undefined,
    },
  ];
}
