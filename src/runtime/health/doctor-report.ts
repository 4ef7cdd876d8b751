/** `doctor`: what is asked, and what was found. Plain data: it travels over the daemon's socket. */
import type { ErrorCode, Failure, Scope } from '../../base/index.ts';
import type { SessionInfo } from '../../session/index.ts';
import type { Caller } from '../caller.ts';

export interface DoctorRequest {
  /** Only this server; default all. */
  readonly server?: string | undefined;
  readonly scope?: Scope | undefined;
  /** Default: the runtime's own environment and folder. */
  readonly caller?: Caller | undefined;
  /** What one server may take in all, milliseconds; default limits.doctorServerMs, or the timeout of its entry where that is less. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Steps of a server's long start, one line each. */
  readonly onStep?: ((server: string, line: string) => void) | undefined;
  /** A server was looked at to the end. */
  readonly onDiagnosis?: ((diagnosis: ServerDiagnosis) => void) | undefined;
}

/**
 * - `ok`: it was connected and listed what it has.
 * - `failed`: it could not be connected or did not answer, or its entry is malformed.
 * - `needs-auth`: it wants a sign-in.
 * - `blocked`: it is refused, by Trestle or by the server.
 * - `disabled`: its entry says so.
 */
export type Verdict = 'ok' | 'failed' | 'needs-auth' | 'blocked' | 'disabled';

export interface ServerDiagnosis {
  readonly name: string;
  readonly verdict: Verdict;
  /** How long the look took, milliseconds; 0 where nothing was asked. */
  readonly durationMs: number;
  /** Set where it was connected. */
  readonly info: SessionInfo | undefined;
  readonly tools: number | undefined;
  /**
   * Lists other than the tools' that failed, items left out, and what came over the connection that no server should send, one line
   * each; the server works all the same.
   */
  readonly problems: readonly string[];
  /** What is wrong; its hint says what to do. */
  readonly failure: Failure | undefined;
}

/** One thing about a part of the house that Trestle lives in, in one sentence. */
export type Finding<Subject extends string> =
  | { readonly subject: Subject; readonly level: 'ok'; readonly text: string }
  | {
      readonly subject: Subject;
      /** `note`: worth a word; `trouble`: something does not work. */
      readonly level: 'note' | 'trouble';
      readonly text: string;
      readonly code: ErrorCode;
      /** What to do about it. */
      readonly hint: string;
    };

/** `secrets`, `sign-ins` and `approvals` are told of only where their files cannot be used. */
export type HouseSubject = 'home' | 'configuration' | 'settings' | 'approvals' | 'secrets' | 'sign-ins' | 'registry';

export type HouseFinding = Finding<HouseSubject>;

/** A server that an earlier Trestle process left running, killed together with its watcher. */
export interface LeftServer {
  /** Undefined where its processes no longer say. */
  readonly server: string | undefined;
  /** Id that the Trestle process had which started it. */
  readonly ownerPid: number;
  /** The oldest first. */
  readonly processes: readonly { readonly pid: number; readonly name: string; readonly ageMs: number }[];
}

export interface DoctorReport {
  /** By name. */
  readonly servers: readonly ServerDiagnosis[];
  readonly house: readonly HouseFinding[];
  /** What earlier runs left; undefined where the system shows nobody the environment of a process. */
  readonly left: readonly LeftServer[] | undefined;
  /** Whether anything needs to be done. */
  readonly trouble: boolean;
}
