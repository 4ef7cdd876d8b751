import type { WhyWaiting } from '../config/index.ts';

/** The one line about a server that a project asks for, where nobody can be asked. */
export function waitingNote(server: string, why: WhyWaiting): string {
  return `A project asks for ${server}: ${why}, so it is not started. See what it is, and approve it: trestle approve ${server} --connect`;
}
