import type { Clock, Log } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { Redactor } from '../../policy/index.ts';
import type { EntryChange } from '../../pool/index.ts';
import type { SecretStoreOptions } from '../../secrets/index.ts';
import type { SessionPorts } from '../../session/index.ts';
import type { Caller } from '../caller.ts';
import type { Host } from './resolutions.ts';
import type { ConnectedSource, Wanted } from './wanted.ts';

export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly host: Omit<Host, 'stateFolder'>;
  /** Folder of what is remembered between processes. */
  readonly stateFolder: string;
  /** Where secrets are kept. */
  readonly secretStore: () => SecretStoreOptions;
  /** Whether commands know a definition by its name. */
  readonly isConfigured: (definition: Definition, caller: Caller) => boolean;
  /** What the host offers to servers used on behalf of a caller. */
  readonly ports: (caller: Caller) => SessionPorts;
  readonly onChange: (change: EntryChange) => void;
  /** A configured server is connected. */
  readonly onSession?: ((source: ConnectedSource) => void) | undefined;
  /** A server is connected again after an earlier connection or try had failed: what is known of it may be old. */
  readonly onReconnected?: ((wanted: Wanted) => void) | undefined;
  /** Whether `eager` and `keep-alive` mean anything here; else every server is `lazy`. */
  readonly longLived: boolean;
}
