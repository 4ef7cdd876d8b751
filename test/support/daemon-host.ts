import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Runtime, RuntimeEvent } from '../../src/runtime/index.ts';
import type { DaemonHome } from './daemon-home.ts';
import { eventually } from './eventually.ts';

export interface Host {
  readonly runtime: Runtime;
  readonly events: RuntimeEvent[];
  /** Resolves once it has heard what fits; the event. */
  readonly heard: (what: Readonly<Record<string, unknown>>) => Promise<RuntimeEvent>;
}

/** A client that listens, as a host does; each folder is a scope of its own. */
export function hostOf(home: DaemonHome, folder: string): Host {
  const cwd = join(home.folder, folder);
  mkdirSync(cwd, { recursive: true });
  return listening(home.client({ cwd }).runtime);
}

/** A runtime whose events are kept. */
export function listening(runtime: Runtime): Host {
  const events: RuntimeEvent[] = [];
  runtime.subscribe((event) => events.push(event));
  const fits = (event: RuntimeEvent, what: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(what).every(([name, value]) => (event as Readonly<Record<string, unknown>>)[name] === value);
  return {
    runtime,
    events,
    async heard(what) {
      await eventually(() => events.some((event) => fits(event, what)));
      return events.find((event) => fits(event, what)) as RuntimeEvent;
    },
  };
}
