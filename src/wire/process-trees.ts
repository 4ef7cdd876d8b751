import type { Clock, Log } from '../base/index.ts';
import type { ProcessKeeper } from './process-keeper.ts';

export function createProcessKeeper(options: { readonly clock: Clock; readonly log: Log }): ProcessKeeper {
  throw new Error(`not built: ${Object.keys(options).length}`);
}
