/**
 * A host of its own that takes large results: `node --expose-gc large-results-process.ts HOME in-process|daemon COUNT`. Prints what heap,
 * buffers and resident memory were before and after, in bytes, as one line of JSON. The daemon runs in the same process, so that
 * both ends are measured.
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/index.ts';
import { createDaemonClient, runDaemon } from '../../src/daemon/index.ts';
import { createRuntime, placesOf, type Runtime } from '../../src/runtime/index.ts';
import { projectRoot } from './project-files.ts';

const [home = '', mode, count = '100'] = process.argv.slice(2);
const bytes = 5_000_000;
/** What is loaded and kept with the first calls is no leak. */
const warmUps = 10;
const places = placesOf(home);
const caller = { env: { PATH: process.env['PATH'] }, cwd: home };
const scope = `project:${home}` as const;
const openLocal = (): Runtime =>
  createRuntime({ places, userHome: home, platform: process.platform, scope, ...caller });

const stop = new AbortController();
const program = join(projectRoot, 'dist', 'cli.js');
const ended =
  mode === 'daemon'
    ? runDaemon({
        runFolder: places.runFolder,
        temporaryFolder: tmpdir(),
        platform: process.platform,
        program,
        signal: stop.signal,
      })
    : undefined;

const runtime =
  ended === undefined
    ? openLocal()
    : createDaemonClient({
        openLocal,
        caller,
        scope,
        home: { places, userHome: home },
        command: [process.execPath, program],
        platform: process.platform,
        clock: systemClock,
        onNote: (text) => console.error(text),
      });

async function take(): Promise<void> {
  const outcome = await runtime.call({ server: 'large', tool: 'lines', arguments: { bytes } });
  if (!('value' in outcome) || outcome.value.shown.cut?.path === undefined) throw new Error(JSON.stringify(outcome));
  // They would fill the disk.
  rmSync(outcome.value.shown.cut.path);
}

interface Memory {
  readonly heap: number;
  readonly buffers: number;
  readonly resident: number;
}

async function measured(): Promise<Memory> {
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, buffers: external, resident: rss };
}

for (let call = 0; call < warmUps; call += 1) await take();
const before = await measured();
for (let call = 0; call < Number(count); call += 1) await take();
const after = await measured();
await runtime.close();
stop.abort();
await ended;
console.log(JSON.stringify({ before, after }));
