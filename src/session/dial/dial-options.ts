/** What a dial is given: the server, the host's ports, and what was learnt at earlier dials. */
import type { Deadline, JsonObject, JsonValue } from '../../base/index.ts';
import type { Endpoint, LinkKind, WireContext } from '../../wire/index.ts';
import type { Era } from '../session.ts';

/** What was found out about a definition at an earlier dial. */
export interface EraVerdict {
  readonly era: Era;
  /** Link that worked; saves the ladder over HTTP. */
  readonly link: LinkKind;
  /** Whether the verdict rests on the server's silence; such a one is believed for limits.silentVerdictMs. */
  readonly fromSilence: boolean;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** Remembers verdicts by definition hash. */
export interface EraMemory {
  get(definitionHash: string): EraVerdict | undefined;
  set(definitionHash: string, verdict: EraVerdict): void;
  forget(definitionHash: string): void;
}

/** What the host offers to servers that ask something; a missing port is not declared to the server. */
export interface SessionPorts {
  /** Absolute paths of the roots; default none. */
  readonly roots: () => readonly string[];
  /** `sampling/createMessage`: params in, result out. */
  readonly sample?: (server: string, params: JsonObject, signal: AbortSignal) => Promise<JsonValue>;
  /** `elicitation/create` in form mode; content is checked against the requested schema after this, defaults are applied. */
  readonly elicit?: (
    server: string,
    params: JsonObject,
    signal: AbortSignal,
  ) => Promise<{ readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: JsonObject }>;
}

export interface DialOptions {
  /** The configured name. */
  readonly server: string;
  readonly endpoint: Endpoint;
  readonly definitionHash: string;
  readonly protocol: 'auto' | 'legacy' | 'modern';
  readonly protocolVersions: readonly string[];
  readonly eras: EraMemory;
  readonly wire: WireContext;
  readonly ports: SessionPorts;
  readonly client: { readonly name: string; readonly version: string };
  readonly deadline: Deadline;
  /** Steps of a long start ("npx is downloading …"), one short line each. */
  readonly onStep?: ((line: string) => void) | undefined;
}
