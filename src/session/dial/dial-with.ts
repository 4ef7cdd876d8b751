/** The dial, whatever opens its links. */
import { asTrestleError } from '../../base/index.ts';
import type { LiveSession } from '../live-session.ts';
import { createStateCell } from '../session-state.ts';
import { dialHttp } from './dial-http.ts';
import type { DialOptions } from './dial-options.ts';
import { dialStdio } from './dial-stdio.ts';
import { createDialling, type Openers } from './dialling.ts';
import { openSession } from './open-session.ts';

/** As {@link dial}, over links that `openers` make. */
export async function dialWith(options: DialOptions, openers: Openers): Promise<LiveSession> {
  const { endpoint, server, deadline } = options;
  const finished = new AbortController();
  const dialling = createDialling(options, openers, finished.signal);
  const state = createStateCell(server);
  try {
    deadline.throwIfOver();
    state.move('dialling');
    const found = endpoint.kind === 'stdio' ? await dialStdio(dialling, endpoint) : await dialHttp(dialling, endpoint);
    const session = await openSession({ dialling, state, ...found });
    await dialling.endAllBut(found.connection.link);
    return session;
  } catch (error) {
    const reason = dialling.told(asTrestleError(error, { server, execution: 'not-sent' }));
    state.move('failed', reason);
    await dialling.endAllBut(undefined);
    throw reason;
  } finally {
    finished.abort();
  }
}
