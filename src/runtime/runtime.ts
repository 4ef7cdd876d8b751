import type { Scope } from '../base/index.ts';
import type { ConfigView, Definition, Settings } from '../config/index.ts';
import type { Approval, Presented, ShownBlock } from '../policy/index.ts';
import type { Registry } from '../registry/index.ts';
import type { Asker } from './asker.ts';
import type { ApprovalReport, Approved, ApproveRequest, RevokeRequest } from './consent/consent-report.ts';
import type { Answer } from './consent/question.ts';
import type { ContextReport, ContextRequest } from './context/context-report.ts';
import type { FoundTools, ToolSearch } from './context/tool-search.ts';
import type { RuntimeListener } from './events.ts';
import type { DoctorReport, DoctorRequest, HouseFinding } from './health/doctor-report.ts';
import type { RuntimeStatus } from './health/status-report.ts';
import type { Failed, Outcome } from './outcome.ts';
import type { Places } from './places.ts';
import type { CallRequest, CallValue } from './requests/call-request.ts';
import type { PostRequest, PostValue } from './requests/post-request.ts';
import type {
  Inspection,
  PromptList,
  PromptRequest,
  PromptValue,
  ReadRequest,
  ReadValue,
  ResourceLists,
  ToolList,
} from './requests/server-contents.ts';
import type { ServerRequest } from './requests/server-request.ts';
import type { SignInRequest, SignInValue, SignOutRequest, SignOutValue } from './requests/sign-in-request.ts';
import type { ReloadReport, ReloadRequest } from './sync/reload-report.ts';
import type { SyncRequest, SyncValue } from './sync/sync-request.ts';

/**
 * Trestle for one home. Methods that talk to servers never reject for what a server, tool, file or caller did: they resolve
 * with an outcome. Requests of one runtime share its pool.
 */
export interface Runtime {
  readonly registry: Registry;
  readonly places: Places;
  /** The configuration as it stands on disk now, for a caller (default: the runtime's own). Throws `config_unreadable`. */
  config(asker?: Asker): ConfigView;
  /** Names of the servers that can be called, sorted: whatever tells a model of tools tells of theirs. Throws `config_unreadable`. */
  callable(asker?: Asker): readonly string[];
  /** The settings as they stand on disk now. Throws `config_unreadable`, `config_entry_invalid`. */
  settings(): Settings;
  /**
   * Calls a tool, at most once. A configured server that was never synced is synced on the way; of a definition that is given
   * instead of a name, or with `checkedBy: 'live'`, the tools are listed first and nothing is stored.
   */
  call(request: CallRequest): Promise<Outcome<CallValue>>;
  /**
   * Names of the environment variables that a server's definition refers to; of all definitions without a name. A caller's
   * environment has to hold no others, beside what every process inherits. Throws `config_unreadable`.
   */
  variables(server?: string, asker?: Asker): readonly string[];
  /** What stands against a call already, from files alone: nothing is started or asked. Undefined when nothing does. */
  checkCall(request: CallRequest): Promise<Failed | undefined>;
  /** What stands against any request to a server already: an unknown name, an entry that is disabled or cannot be used. */
  checkServer(server: string | Definition, asker?: Asker): Promise<Failed | undefined>;
  read(request: ReadRequest): Promise<Outcome<ReadValue>>;
  /** The tools as the server lists them now; nothing is stored. A server without the tools capability is refused. */
  listTools(request: ServerRequest): Promise<Outcome<ToolList>>;
  listResources(request: ServerRequest): Promise<Outcome<ResourceLists>>;
  listPrompts(request: ServerRequest): Promise<Outcome<PromptList>>;
  getPrompt(request: PromptRequest): Promise<Outcome<PromptValue>>;
  inspect(request: ServerRequest): Promise<Outcome<Inspection>>;
  /** One raw request on a connection of its own, without a session: nothing goes before it, and no redirect is followed. */
  post(request: PostRequest): Promise<Outcome<PostValue>>;
  /**
   * Signs in anew, whatever there is: shows the page to sign in at and waits for the person, for at most ten minutes; a server whose
   * definition says how it is signed in to without one needs none. To be called for a person's own command only: a call that
   * needs a sign-in ends as `unavailable`, code `auth_required`, unless the host has the ports to ask (`ask`) and to sign in (`person`).
   */
  signIn(request: SignInRequest): Promise<Outcome<SignInValue>>;
  /** Forgets sign-ins to a server; its authorization server is told where it offers that. */
  signOut(request: SignOutRequest): Promise<Outcome<SignOutValue>>;
  /**
   * Tools that words mean, best first: those of servers that are configured and enabled, from the registry's files; nothing is
   * started. Rejects with `invalid_arguments`, `config_unreadable`; where the server named is none of these, with the reason.
   */
  search(request: ToolSearch): Promise<FoundTools>;
  sync(request: SyncRequest): Promise<Outcome<SyncValue>>;
  /**
   * Reads the configuration anew, ends the connections of servers that were removed, disabled or changed, and syncs what is new,
   * changed or was never synced; a host that lives for one command only reports. One failure stops no other server. Rejects with
   * `config_unreadable`, `config_entry_invalid`, `cancelled`.
   */
  reload(request?: ReloadRequest): Promise<ReloadReport>;
  /**
   * Answers a question that stood in a request's way (`failure.details.question` of code `approval_needed`); the request can then be
   * sent again. Where the host has the port `ask`, the runtime does both by itself. Rejects with `unknown_question`, `usage`, `file_error`.
   */
  answer(answer: Answer): Promise<void>;
  /** What a person approved for good, and for the session of the scope (default: the runtime's own). */
  approvals(scope?: Scope): Promise<ApprovalReport>;
  /**
   * Approves a server, or some of its tools, for good: to be called on a person's own word alone. Rejects with what stands against
   * using the server, `usage`, `file_error`.
   */
  approve(request: ApproveRequest): Promise<Approved>;
  /** Takes approvals back, those of sessions too, and resolves with them. The server's sessions end after their calls. Rejects with `file_error`. */
  revoke(request: RevokeRequest): Promise<readonly Approval[]>;
  /**
   * What is wrong with the files that people write and with those that hold what they said: configuration, settings, approvals, secrets
   * and sign-ins. No server is started. Never rejects.
   */
  checkFiles(asker?: Asker): Promise<readonly HouseFinding[]>;
  /** Looks at every server, all at once with a limit each, and at the files of the home. Rejects with `unknown_server`, `cancelled`. */
  doctor(request?: DoctorRequest): Promise<DoctorReport>;
  /**
   * Looks whether another process has signed in or out of connected servers, and ends the sessions that were made for somebody else
   * after their calls. Every request looks by itself.
   */
  refreshSignIns(): Promise<void>;
  /**
   * Closes the sessions of a server, given by its name in the registry (`Definition.registryName`), after their calls and removes its
   * registry folder; says what was there. Sign-ins to a server that is configured are forgotten, too, on this machine alone and where no
   * other server has its URL.
   */
  forget(server: string): Promise<{ readonly registry: boolean }>;
  /** Closes the sessions of a server, by its name in the registry, in a scope at once; calls under way end. Resolves when no process of them is left. */
  disconnect(server: string, scope?: Scope): Promise<void>;
  status(asker?: Asker): Promise<RuntimeStatus>;
  /**
   * The text about servers and tools for a model, never over its budget, and byte-identical while nothing changed; from files, no
   * server is started. A host that has asked once is told by a `context` event when it is another one. Rejects with
   * `config_unreadable`, `config_entry_invalid`.
   */
  context(request?: ContextRequest): Promise<ContextReport>;
  /**
   * Looks whether the texts that were asked for are others now, and tells of those that are: for a host that hears by other ways that
   * another process has changed files. Never rejects.
   */
  refreshContext(): Promise<void>;
  /** About what all descriptors would cost in the conversation, o200k tokens: what {@link Runtime.context} spares. */
  inlinedTokens(): Promise<number>;
  /** Whether this runtime holds a keep-alive server that it has not given up; a host that ends itself when unused asks first. */
  holdsKept(): boolean;
  /** The guarded form of blocks that a door made itself of what a server sent. `label` names the spill, which is the scope's. */
  present(blocks: readonly ShownBlock[], label: string, scope?: Scope): Promise<Presented>;
  /** Writes a whole output to a private file of the scope that ages out, redacted; its path, or undefined where it cannot be written. */
  keep(text: string, label: string, scope?: Scope): Promise<string | undefined>;
  /** Redacts every secret this runtime has met; for doors that print. */
  redact(text: string): string;
  subscribe(listener: RuntimeListener): () => void;
  /** Closes a scope's sessions; resolves when no process of them is left. */
  closeScope(scope: Scope): Promise<void>;
  /** Closes everything; resolves when no process is left. */
  close(): Promise<void>;
}
