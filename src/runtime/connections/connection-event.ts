import type { EntryChange } from '../../pool/index.ts';
import type { RuntimeEvent } from '../events.ts';

/** What listeners of the runtime hear of a change in the pool; `shown` makes a reason fit to be shown. */
export function connectionEvent(change: EntryChange, shown: (text: string) => string): RuntimeEvent {
  const { server } = change;
  const why = change.reason === undefined ? {} : { reason: shown(change.reason) };
  switch (change.event) {
    case 'state':
      return { kind: 'session', server, state: change.state, ...why };
    case 'reconnecting': {
      const { inMs, attempt, of } = change;
      return { kind: 'reconnecting', server, inMs, attempt, of, ...why };
    }
    case 'ready':
      return { kind: 'ready', server, reconnected: change.reconnected };
    case 'gave-up':
    default:
      return { kind: 'gave-up', server, attempts: change.attempts, ...why };
  }
}
