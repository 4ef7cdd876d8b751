/** Completion for a host: loaded with the first line that is completed. */
import type { HostLine, LineCompletion } from './completion/line-completions.ts';

/**
 * The ways to go on after `line`, which is everything behind the program's name up to the cursor; from the files of the runtime,
 * nothing is started. Never rejects: where nothing is known it is empty.
 */
export async function completeLine(line: string, host: HostLine): Promise<readonly LineCompletion[]> {
  try {
    const { lineCompletions } = await import('./completion/line-completions.ts');
    return await lineCompletions(line, host);
  } catch {
    // An error here would stand in the middle of what somebody is typing.
    return [];
  }
}
