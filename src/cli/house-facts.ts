/** What `doctor` says of the house that only the command knows: the Node.js it runs on. */
import type { HouseFinding } from '../runtime/index.ts';

/** As a finding of the runtime, about something that the runtime cannot see. */
export type HouseFact = Omit<HouseFinding, 'subject'> & { readonly subject: 'node' };

/** In the order in which they are shown, before the runtime's own findings. */
export async function houseFacts(): Promise<readonly HouseFact[]> {
  return [{ subject: 'node', level: 'ok', text: `${process.version}, ${process.execPath}` }];
}
