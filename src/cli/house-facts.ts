/** What `doctor` says of the house that only the command knows, before the runtime's own findings. */
import type { HouseFinding } from '../runtime/index.ts';
import type { CommandContext } from './command.ts';

/** As a finding of the runtime, about something that the runtime cannot see. */
export type HouseFact = Omit<HouseFinding, 'subject'> & { readonly subject: 'node' | 'daemon' };

/** Each looks at one thing. */
const facts: readonly ((context: CommandContext) => Promise<HouseFact>)[] = [nodeFact];

/** In the order in which they are shown. */
export function houseFacts(context: CommandContext): Promise<readonly HouseFact[]> {
  return Promise.all(facts.map((fact) => fact(context)));
}

async function nodeFact(): Promise<HouseFact> {
  return { subject: 'node', level: 'ok', text: `${process.version}, ${process.execPath}` };
}
