/** What is known of the daemon. */
import { plural } from '../../base/index.ts';
import type { DaemonSight } from '../../daemon/index.ts';
import { cell } from './cell.ts';

/** One line for each thing worth knowing. */
export function renderSight(sight: DaemonSight): readonly string[] {
  switch (sight.kind) {
    case 'running': {
      const { pid, version, uptimeMs, clients, requests } = sight.about;
      // Whoever asks is a client too.
      return [
        `Runs, pid ${pid}, version ${cell(version)}, for ${duration(uptimeMs)}.`,
        `${plural(clients - 1, 'other client')}, ${plural(requests, 'request')} under way.`,
      ];
    }
    case 'unusable':
      return [`The daemon cannot be used: ${cell(sight.why, 1_000)}.`];
    case 'other-version':
      return [`Runs, pid ${sight.pid}, version ${cell(sight.version)}, which speaks another protocol than this one.`];
    default:
      return [`No daemon runs${lossOf(sight)}. The next command that asks a server starts one.`];
  }
}

/** One that ends by itself takes its record along. */
function lossOf({ lostPid }: Extract<DaemonSight, { readonly kind: 'none' }>): string {
  return lostPid === undefined ? '' : `; the last one, pid ${lostPid}, was killed or crashed`;
}

/** The same for programs. */
export function sightJson(sight: DaemonSight): Readonly<Record<string, unknown>> {
  switch (sight.kind) {
    case 'unusable':
      return { running: false, problem: sight.why };
    case 'other-version':
      return { running: true, usable: false, pid: sight.pid, version: sight.version, startedAt: sight.startedAt };
    case 'running':
      return { running: true, usable: true, ...sight.about, clients: sight.about.clients - 1 };
    default:
      return { running: false, ...(sight.lostPid === undefined ? {} : { lostPid: sight.lostPid }) };
  }
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
