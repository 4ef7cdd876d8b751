/** What Pi offers while `/mcp-bridge` is being typed. */
import { completeLine } from '../../cli/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { PiCompletion } from './pi.ts';
import { piProgram } from './program.ts';

/** Ways to go on after `prefix`; null where there are none. Never rejects. */
export async function completeCommand(prefix: string, runtime: Runtime): Promise<PiCompletion[] | null> {
  const ways = await completeLine(prefix, { runtime, program: piProgram });
  // While anything is offered Enter takes that: a word that is whole already must not keep it from sending the line.
  const others = ways.filter(({ line }) => line.trimEnd() !== prefix);
  if (others.length === 0) return null;
  return ways.map(({ line, ...way }) => ({ value: line, ...way }));
}
