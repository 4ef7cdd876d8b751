/** What one dial works with: its options, and every link it opened, so that it leaves none behind. */
import { type Deadline, limits, TrestleError, within } from '../../base/index.ts';
import type { HttpEndpoint, LauncherState, Link, LinkKind, StdioEndpoint, WireContext } from '../../wire/index.ts';
import { clientCapabilities } from '../calls/host-answers.ts';
import { Gate } from '../gate.ts';
import { withLastWords } from '../last-words.ts';
import type { DialOptions, EraVerdict } from './dial-options.ts';
import type { InitializeContext } from './handshake.ts';
import { type ClientFace, legacyOffer } from './revisions.ts';

/** The ways to a server; tests hand in their own. */
export interface Openers {
  readonly stdio: (endpoint: StdioEndpoint, server: string, context: WireContext) => Link;
  readonly streamable: (endpoint: HttpEndpoint, server: string, context: WireContext) => Link;
  readonly sse: (endpoint: HttpEndpoint, server: string, context: WireContext) => Link;
  readonly events: (endpoint: HttpEndpoint, server: string, context: WireContext) => Link;
  readonly launcherState: (endpoint: StdioEndpoint) => LauncherState;
}

export interface Connection {
  readonly link: Link;
  readonly gate: Gate;
}

export interface Dialling {
  readonly options: DialOptions;
  readonly openers: Openers;
  readonly face: ClientFace;
  readonly handshake: InitializeContext;
  readonly deadline: Deadline;
  /** Aborts when the dial is over, whatever its outcome: ends its timers. */
  readonly finished: AbortSignal;
  /** Starts a link and its gate. */
  connect(link: Link): Promise<Connection>;
  /** The verdict of an earlier dial, if it may still be believed. */
  recall(): EraVerdict | undefined;
  remember(connection: Connection, verdict: Pick<EraVerdict, 'era' | 'fromSilence'>): void;
  forget(): void;
  /** A failure of the dial, with the last words of the process that was started for it last. */
  told(failure: TrestleError): TrestleError;
  /** Ends every link but `kept`. */
  endAllBut(kept: Link | undefined): Promise<void>;
}

/** The shared ground of one dial. */
export function createDialling(options: DialOptions, openers: Openers, finished: AbortSignal): Dialling {
  const { server, eras, definitionHash, wire, deadline } = options;
  const face = { info: options.client, capabilities: clientCapabilities(options.ports) };
  const links = new Set<Link>();
  let isNoiseTold = false;
  // Once a dial, which may start the server twice.
  const tellNoise = (link: Link, sample: string): void => {
    if (isNoiseTold) return;
    isNoiseTold = true;
    const does = link.kind === 'stdio' ? 'prints to stdout' : 'sends';
    wire.log.info(`${does} what is no MCP message; it is skipped: ${sample}`, server);
  };
  return {
    options,
    openers,
    face,
    handshake: { server, face, offer: legacyOffer(options.protocolVersions) },
    deadline,
    finished,
    async connect(link) {
      links.add(link);
      link.onnoise = (sample) => tellNoise(link, sample);
      const gate = new Gate({ link, server });
      await within(deadline, link.start());
      return { link, gate };
    },
    recall() {
      if (options.protocol !== 'auto') return undefined;
      const verdict = eras.get(definitionHash);
      if (verdict === undefined) return undefined;
      const isStale = verdict.fromSilence && wire.clock.now() - verdict.atMs > limits.silentVerdictMs;
      return isStale ? undefined : verdict;
    },
    remember({ link }, { era, fromSilence }) {
      if (options.protocol === 'auto') {
        eras.set(definitionHash, { era, link: link.kind, fromSilence, atMs: wire.clock.now() });
      }
    },
    forget() {
      eras.forget(definitionHash);
    },
    told: (failure) => withLastWords(failure, [...links].at(-1)),
    async endAllBut(kept) {
      await Promise.all([...links].filter((link) => link !== kept).map((link) => link.close()));
    },
  };
}

/** A server that was told to be modern and is not. */
export function notModern(server: string, cause: TrestleError | undefined): TrestleError {
  return new TrestleError({
    code: 'version_mismatch',
    message: `Server "${server}" does not answer server/discover as protocol version 2026-07-28 asks.`,
    hint: 'Its definition says "protocol": "modern"; take that out, or set it to "auto".',
    server,
    execution: 'not-sent',
    cause,
  });
}

/** Names of the transports for people. */
export const linkNames: Readonly<Record<LinkKind, string>> = {
  stdio: 'stdio',
  streamable: 'Streamable HTTP',
  sse: 'HTTP+SSE',
  events: 'event dialect',
};
