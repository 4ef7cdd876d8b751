/** What is asked and told about approvals. */
import type { Scope } from '../../base/index.ts';
import type { Approval } from '../../policy/index.ts';
import type { Caller } from '../caller.ts';
import type { QuestionTexts } from './question.ts';

export interface ApproveRequest {
  /** A configured server. */
  readonly server: string;
  /** `connect`: it may be started or connected to. `use`: used as well. Default `use`. */
  readonly kind?: 'connect' | 'use' | undefined;
  /** Globs: only these tools, also those that ask for themselves; and neither lists nor reads. */
  readonly tools?: readonly string[] | undefined;
  /** Globs by name of an argument: only calls of `tools` whose arguments fit. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  /** Default: until it is taken back. */
  readonly expiresInMs?: number | undefined;
  /** On whose behalf the definition is resolved; default: the runtime's own. */
  readonly caller?: Caller | undefined;
  /** Only where the entry is still the one that a person has looked at. */
  readonly seen?: Pick<Approval, 'file' | 'identity'> | undefined;
  /** Only for the session of this scope, in memory; default: for good. */
  readonly session?: Scope | undefined;
  /** Only tells what would be approved. */
  readonly dryRun?: boolean | undefined;
}

export interface Approved {
  /** What a person should have read. */
  readonly question: QuestionTexts;
  readonly approval: Approval;
}

export interface RevokeRequest {
  readonly server: string;
  /** Only approvals for the entry in this file; default: of every file. */
  readonly file?: string | undefined;
  /** Only approvals that name one of exactly these globs. */
  readonly tools?: readonly string[] | undefined;
}

export interface ApprovalReport {
  /** For good. */
  readonly approvals: readonly Approval[];
  /** For the session of whoever asks. */
  readonly session: readonly Approval[];
  /** Why the file of approvals counts for nothing; undefined where it does. */
  readonly problem: string | undefined;
}
