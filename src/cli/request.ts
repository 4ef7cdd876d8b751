/** A request to a server as commands make it: with the flags' limits, Ctrl-C, and progress shown while it runs. */
import type { ServerRequest } from '../runtime/index.ts';
import type { CommandContext } from './command.ts';
import { showProgress } from './progress.ts';
import { labelOf, serverOf, type Target } from './target.ts';

/** The flags of {@link requestFlags}. */
export interface RequestLimits {
  readonly timeout: number | undefined;
  readonly 'max-total': number | undefined;
}

/** Runs `send` with a request to `target`; progress is shown meanwhile and gone afterwards. */
export async function withProgress<T>(
  context: CommandContext,
  about: { readonly target: Target; readonly limits: RequestLimits },
  send: (request: ServerRequest) => Promise<T>,
): Promise<T> {
  using progress = showProgress(context.output);
  const { onStep, onProgress } = progress.for(labelOf(about.target));
  return await send({
    server: serverOf(about.target),
    timeoutMs: about.limits.timeout,
    maxTotalMs: about.limits['max-total'],
    signal: context.signal,
    onStep,
    onProgress,
  });
}
