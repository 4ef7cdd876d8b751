/** What earlier runs left running: found, and ended on request. What finds it is loaded when it is asked for. */
import { type Clock, delay, limits, type Log } from '../../base/index.ts';
import type { Leak } from '../../wire/index.ts';
import type { LeftServer } from './doctor-report.ts';

/** Which servers are meant; undefined = all. */
type Wanted = string | undefined;

/**
 * What earlier runs left of a server, or of all; undefined where the system shows nobody the environment of a process. What is found is
 * looked at once more: the watcher of a Trestle that was just killed may be ending it.
 */
export async function findLeftServers(clock: Clock, wanted: Wanted): Promise<readonly LeftServer[] | undefined> {
  const first = await leaks(wanted);
  if (first === undefined || first.length === 0) return first;
  await delay(clock, limits.leakSecondLookMs);
  const marks = new Set(first.map(({ mark }) => mark));
  return (await leaks(wanted))?.filter(({ mark }) => marks.has(mark)).map(leftServer);
}

/** What became of a server that was left. */
export interface EndedServer extends LeftServer {
  /** Ids of processes that could not be ended. */
  readonly remaining: readonly number[];
}

/** Ends what earlier runs left of a server, or of all; undefined as for {@link findLeftServers}. */
export async function endLeftServers(
  wanted: Wanted,
  context: { readonly clock: Clock; readonly log: Log },
): Promise<readonly EndedServer[] | undefined> {
  const { endLeak } = await import('../../wire/index.ts');
  const found = await leaks(wanted);
  if (found === undefined) return undefined;
  return Promise.all(found.map(async (leak) => ({ ...leftServer(leak), remaining: await endLeak(leak, context) })));
}

async function leaks(wanted: Wanted): Promise<readonly Leak[] | undefined> {
  const { findLeaks } = await import('../../wire/index.ts');
  const search = await findLeaks();
  if (search.kind === 'not-supported') return undefined;
  return search.leaks.filter(({ server }) => wanted === undefined || server === wanted);
}

function leftServer({ server, ownerPid, processes }: Leak): LeftServer {
  return { server, ownerPid, processes: processes.map(({ pid, name, ageMs }) => ({ pid, name, ageMs })) };
}
