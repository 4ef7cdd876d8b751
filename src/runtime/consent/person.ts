/** Whom a runtime asks. Most requests need nobody's word, so what asks is loaded with the first that does. */
import type { Clock } from '../../base/index.ts';
import type { Outcome } from '../outcome.ts';
import type { HostPorts } from '../ports.ts';
import type { Asking } from './asking.ts';
import { type Errand, questionOf, signInLacking } from './errand.ts';

/** A person behind a port; asked one question after another. */
export interface Person {
  /** Does `attempt`, and once more after each question that is answered by yes. Never rejects but by what `attempt` rejects with. */
  allowing<T>(attempt: () => Promise<Outcome<T>>, request: Errand): Promise<Outcome<T>>;
}

/** Whoever answers at `ask`. */
export function personAt(ask: NonNullable<HostPorts['ask']>, clock: Clock): Person {
  let loading: Promise<Asking> | undefined;
  let asking: Asking | undefined;
  return {
    async allowing(attempt, errand) {
      const answered = asking?.answered ?? 0;
      const outcome = await attempt();
      if (questionOf(outcome) === undefined && signInLacking(outcome) === undefined) return outcome;
      loading ??= import('./asking.ts').then(({ createAsking }) => createAsking(ask, clock));
      asking = await loading;
      return asking.ask({ outcome, answered }, attempt, errand);
    },
  };
}
