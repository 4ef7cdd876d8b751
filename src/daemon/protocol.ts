/**
 * What client and daemon say to each other, for both ends: one JSON value a line.
 *
 * Hello, proof and drain are the envelope: every version must be able to read and answer those of every other one. All
 * else may change with `protocolNumber`.
 */
import type { Execution, Failure, Scope } from '../base/index.ts';
import type { Caller, Places, Runtime, RuntimeEvent } from '../runtime/index.ts';

/** Raised whenever an older client or daemon would misread a frame. */
export const protocolNumber = 3;

/** How the runtime's methods are done by the daemon. */
export interface MethodFacts {
  /** Whether a daemon is started for it; else only one that runs is asked, and without one it is done here. */
  readonly starts: boolean;
  /** Whether it takes one request object, which may hold a caller, a signal and listeners; else plain values. */
  readonly takes: 'request' | 'values';
  /** Whether a failure is an outcome that it resolves with, or what it rejects with. */
  readonly fails: 'outcome' | 'rejection';
}

const request = { starts: true, takes: 'request', fails: 'outcome' } as const;

/** What the daemon does for its clients. Another method of the runtime is one more line here. */
export const remoteMethods = {
  call: request,
  read: request,
  listTools: request,
  listResources: request,
  listPrompts: request,
  getPrompt: request,
  inspect: request,
  sync: request,
  doctor: { starts: true, takes: 'request', fails: 'rejection' },
  reload: { starts: false, takes: 'request', fails: 'rejection' },
  status: { starts: false, takes: 'request', fails: 'rejection' },
  approvals: { starts: false, takes: 'values', fails: 'rejection' },
  answer: { starts: false, takes: 'values', fails: 'rejection' },
  revoke: { starts: false, takes: 'values', fails: 'rejection' },
  refreshSignIns: { starts: false, takes: 'values', fails: 'rejection' },
  forget: { starts: false, takes: 'values', fails: 'rejection' },
  disconnect: { starts: false, takes: 'values', fails: 'rejection' },
  closeScope: { starts: false, takes: 'values', fails: 'rejection' },
} as const satisfies { readonly [Method in keyof Runtime]?: MethodFacts };

export type RemoteMethod = keyof typeof remoteMethods;

/** Methods that the daemon answers about itself. */
export type OwnMethod = 'about';

/** A client and a daemon introduce themselves. */
export interface Hello {
  readonly protocol: number;
  /** Of the package. */
  readonly version: string;
  /** Hex, made for this connection. */
  readonly nonce: string;
}

/** The first frame of a client. */
export interface ClientHello {
  readonly hello: Hello;
}

/** The daemon's answer; `proof` shows that it knows the token. */
export type DaemonHello = { readonly hello: Hello & { readonly proof: string } } | { readonly refused: Refusal };

/** Why a daemon does not do what it is asked; nothing of it was done. */
export type Refusal = 'draining' | 'busy';

/** The client's second frame: its own proof, and what it came for. */
export interface ClientProof {
  readonly proof: string;
  /** `drain`: the daemon shall finish what runs and end. Without either only the connection is looked at. */
  readonly wants: 'serve' | 'drain';
  /** Whose servers; for `serve`. */
  readonly home?: HomeOfClient;
}

/** Which files a client works on. Each daemon serves one Trestle home; Pi's servers, settings and registry lie elsewhere. */
export interface HomeOfClient {
  readonly places: Places;
  readonly userHome: string;
}

/** A request. What cannot travel is taken out of `params`: the caller stands beside them, listeners are named. */
export interface RequestFrame {
  readonly id: number;
  readonly method: RemoteMethod | OwnMethod;
  readonly params: readonly unknown[];
  readonly caller?: Caller;
  /** Variables that the daemon has asked for; the caller has their values where they are set. */
  readonly supplied?: readonly string[];
  /** Members of the request that are listeners: `onProgress`, `onStep`, … */
  readonly listeners?: readonly string[];
  /** Nobody waits for it: it goes on when the client leaves, and has no answer. */
  readonly detached?: boolean;
}

export type ClientFrame =
  | RequestFrame
  /** `reason` is the message of the abort. */
  | { readonly cancel: number; readonly reason?: string }
  /** The client wants to be told of what happens to its home, of calls only those of this scope; `null`: no longer. */
  | { readonly events: { readonly scope: Scope } | null }
  | { readonly ping: number };

export type DaemonFrame =
  | { readonly id: number; readonly done: true; readonly value?: unknown }
  | { readonly id: number; readonly error: WireError }
  | { readonly id: number; readonly refused: Refusal }
  /** The daemon's last words: nothing was done of what it has not answered. */
  | { readonly refused: 'draining' }
  /** Nothing was done yet: the request has to be sent once more with these variables of the caller. */
  | { readonly id: number; readonly needs: readonly string[] }
  | { readonly id: number; readonly listener: string; readonly with: readonly unknown[] }
  /** Nobody has brought the registry of this home to its configuration since the daemon serves it; told to each client that comes. */
  | { readonly unreconciled: true }
  /** Told to clients that listen. */
  | { readonly event: RuntimeEvent }
  /** Events before this one were not told: those before the client listened, or more than are kept for one that does not read. */
  | { readonly gap: true }
  /** A line for the person, such as what a server wrote where nothing belongs. */
  | { readonly note: string }
  | { readonly pong: number };

/** An error that a method rejected with. */
export interface WireError extends Failure {
  readonly execution?: Execution;
}

/** What a daemon says of itself. */
export interface AboutDaemon {
  readonly pid: number;
  readonly version: string;
  readonly protocol: number;
  readonly startedAt: string;
  readonly uptimeMs: number;
  /** Connected now, whoever asks among them. */
  readonly clients: number;
  readonly requests: number;
}
