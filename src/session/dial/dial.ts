import { launcherState, openEvents, openSse, openStdio, openStreamable } from '../../wire/index.ts';
import type { Session } from '../session.ts';
import type { DialOptions } from './dial-options.ts';
import { dialWith } from './dial-with.ts';

/** Finds transport and era, shakes hands, and resolves with a ready session. Leaves nothing behind when it rejects. */
export function dial(options: DialOptions): Promise<Session> {
  return dialWith(options, {
    stdio: openStdio,
    streamable: openStreamable,
    sse: openSse,
    events: openEvents,
    launcherState,
  });
}
