import type { Pi } from './pi.ts';

/** Whether the model can read the files that the text about servers names. */
export function readsFiles(pi: Pick<Pi, 'getActiveTools'>): boolean {
  return pi.getActiveTools().some((name) => name === 'read' || name === 'bash');
}
