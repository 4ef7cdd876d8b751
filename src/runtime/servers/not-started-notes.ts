import { someOf } from '../../base/index.ts';
import type { WaitingServer, WhyWaiting } from '../../config/index.ts';

/** The one line about a server that a project asks for, where nobody can be asked. */
export function waitingNote(server: string, why: WhyWaiting): string {
  return `A project asks for ${server}: ${why}, so it is not started. See what it is, and approve it: trestle approve ${server} --connect`;
}

/** The same of all of them, a line for each reason. */
export function waitingNotes(waiting: ReadonlyMap<string, Pick<WaitingServer, 'why'>>): readonly string[] {
  const byReason = Map.groupBy(waiting, ([, { why }]) => why);
  return [...byReason].map(([why, servers]) => {
    const names = servers.map(([name]) => name);
    const [first = '', second] = names;
    if (second === undefined) return waitingNote(first, why);
    return `A project asks for ${someOf(names)}: ${why}, so they are not started. See each, and approve it: trestle approve ${first} --connect`;
  });
}

/** What is wrong with a server of the user's that only the registry knows and nobody has approved, and what to do. */
export function strayFinding(server: string): readonly [problem: string, hint: string] {
  return [
    `${server} stands in the registry but in no configuration, so it is not started.`,
    `Approve it as it stands: trestle approve ${server} --connect; or take it out: trestle remove ${server}`,
  ];
}

/** The same in one line, where nobody can be asked. */
export function strayNote(server: string): string {
  return strayFinding(server).join(' ');
}
