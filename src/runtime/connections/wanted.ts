/** What is asked of a runtime's connections. */
import type { Scope } from '../../base/index.ts';
import type { Definition, Settings } from '../../config/index.ts';
import type { Session } from '../../session/index.ts';
import type { Caller } from '../caller.ts';

/** Whose session of which server, and how its long start is told. */
export interface Wanted {
  readonly definition: Definition;
  readonly scope: Scope;
  readonly caller: Caller;
  /** Their limits hold for definitions that name none. */
  readonly settings: Pick<Settings, 'idleMinutes' | 'requestTimeoutMs'>;
  readonly onStep?: ((line: string) => void) | undefined;
}

/** A server on behalf of a caller, where no session is made for it. */
export type WantedServer = Pick<Wanted, 'definition' | 'caller'>;

/** A session, and on whose behalf it was made. */
export interface ConnectedSource extends Pick<Wanted, 'definition' | 'caller' | 'scope'> {
  readonly session: Session;
}

/** How long a session of the definition lives: only a long-lived host holds one for later. */
export function lifecycleOf(
  { lifecycle }: Definition,
  { longLived }: { readonly longLived: boolean },
): Definition['lifecycle'] {
  return longLived ? lifecycle : 'lazy';
}
