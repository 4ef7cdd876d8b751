/** What `doctor` says of the house that only the command knows, before the runtime's own findings. */
import { asTrestleError } from '../base/index.ts';
import { type DaemonSight, lookAtDaemon } from '../daemon/index.ts';
import type { Finding } from '../runtime/index.ts';
import type { CommandContext } from './command.ts';
import { daemonOptions } from './daemon-options.ts';
import { renderSight } from './render/daemon.ts';

/** As a finding of the runtime, about something that the runtime cannot see. */
export type HouseFact = Finding<'node' | 'daemon'>;

/** In the order in which they are shown; each looks at one thing. */
export function houseFacts(context: CommandContext): Promise<readonly HouseFact[]> {
  const facts = usesDaemon(context) ? [nodeFact, daemonFact] : [nodeFact];
  return Promise.all(facts.map((fact) => fact(context)));
}

/** A host has one only where its person wants servers to be shared. */
function usesDaemon(context: CommandContext): boolean {
  if (context.hasCommand('daemon')) return true;
  try {
    return context.runtime().settings().shareServers;
  } catch {
    // Settings that cannot be read have a finding of their own.
    return false;
  }
}

async function nodeFact(): Promise<HouseFact> {
  return { subject: 'node', level: 'ok', text: `${process.version}, ${process.execPath}` };
}

/** Without one every command works by itself, only slower; one that stands in the way is somebody's to mend. */
async function daemonFact(context: CommandContext): Promise<HouseFact> {
  const sight = await lookAtDaemon(daemonOptions(context)).catch((thrown: unknown): DaemonSight => ({
    kind: 'unusable',
    why: asTrestleError(thrown).message.replace(/\.$/, ''),
  }));
  const text = renderSight(sight)[0] ?? '';
  const level = levels[sight.kind];
  if (level === 'ok') return { subject: 'daemon', level, text };
  const mend = sight.kind === 'unusable' ? sight.mend : undefined;
  const hint = mend ?? (level === 'note' ? 'Have one of this version: trestle daemon restart' : seeLog);
  return { subject: 'daemon', level, text, code: 'daemon_unavailable', hint };
}

const seeLog = 'See what it says: trestle daemon logs';

const levels: Readonly<Record<DaemonSight['kind'], HouseFact['level']>> = {
  running: 'ok',
  none: 'ok',
  'other-version': 'note',
  unusable: 'trouble',
};
