import type { Clock, Execution, Failure, JsonObject, JsonValue, Log, Scope } from '../base/index.ts';
import type { ConfigView, Definition, Settings } from '../config/index.ts';
import type { Approval, Presented, ShownBlock, ToolResult } from '../policy/index.ts';
import type { EntryStatus } from '../pool/index.ts';
import type { ListedItem, Registry } from '../registry/index.ts';
import type { Person, Progress, SessionCounters, SessionInfo, SignedOut } from '../session/index.ts';
import type { Caller } from './caller.ts';
import type { ApprovalReport, Approved, ApproveRequest, RevokeRequest } from './consent-report.ts';
import type { ContextReport, ContextRequest } from './context-report.ts';
import type { DoctorReport, DoctorRequest, HouseFinding } from './doctor-report.ts';
import type { RuntimeListener } from './events.ts';
import type { Asker } from './asker.ts';
import type { Failed, Outcome } from './outcome.ts';
import type { HostPorts } from './ports.ts';
import type { Answer } from './question.ts';
import type { ReloadReport, ReloadRequest } from './reload-report.ts';
import type { SyncedChanges } from './synced-changes.ts';
import type { FoundTools, ToolSearch } from './tool-search.ts';

/** Where a home's files are. Absolute paths. */
export interface Places {
  readonly serversFile: string;
  readonly settingsFile: string;
  readonly registryRoot: string;
  readonly stateFolder: string;
  /** Of the daemon: where it can be reached, and its log. */
  readonly runFolder: string;
  readonly spillFolder: string;
  /**
   * Whether the environment names a servers file that lies inside the project: what stands in it is then the project's, and waits for
   * approval. All that decides about approval lies elsewhere.
   */
  readonly isOfProject?: boolean;
}

export interface RuntimeOptions {
  readonly places: Places;
  /** The host's working folder, absolute; with `env` the caller of requests that name none. */
  readonly cwd: string;
  /** The user's home folder. */
  readonly userHome: string;
  readonly env: Caller['env'];
  /** As the member of {@link Caller}, for requests that name no caller. */
  readonly projectTrusted?: boolean;
  readonly platform: string;
  /** Whose sessions these are when a request names none; default `library`. */
  readonly scope?: Scope;
  readonly ports?: HostPorts;
  /**
   * Whether this host outlives a single request, as a daemon or an agent does: `reload` syncs what is due instead of only saying
   * so, and eager and keep-alive servers are connected unasked. Default false.
   */
  readonly longLived?: boolean;
  /**
   * Whether a long-lived host reloads once at its start, in the background and told by events: no call waits for it or fails by it.
   * Default false.
   */
  readonly reconcile?: boolean;
  readonly clock?: Clock;
  readonly log?: Log;
}

/** What every request to a server may say. */
export interface ServerRequest extends Asker {
  /** A configured name, or a definition that is stored nowhere. */
  readonly server: string | Definition;
  /** Default: the runtime's own environment and folder. One caller should be one object: what it resolves to is remembered by it. */
  readonly caller?: Caller | undefined;
  /** Idle limit, milliseconds; default: the server's, else the settings', else limits.requestIdleMs. */
  readonly timeoutMs?: number | undefined;
  /** Total limit, milliseconds; default limits.requestTotalMs. */
  readonly maxTotalMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Steps of a long start, one line each. */
  readonly onStep?: ((line: string) => void) | undefined;
}

export interface CallRequest extends ServerRequest {
  readonly tool: string;
  /** An object, or the JSON text of one (decoded once); anything else is refused. */
  readonly arguments?: unknown;
  /**
   * What the tool's name and arguments are checked against: its descriptor in the registry, or the server's own list, read anew
   * before the call. Default `stored`.
   */
  readonly checkedBy?: 'stored' | 'live';
  /**
   * Whether the guarded form for a model or a terminal is wanted beside the raw result, and how: with every kind of content readable
   * (`true`, default), or with all but texts and images as JSON.
   */
  readonly present?: boolean | 'json';
}

export interface CallValue {
  /** The exact name that was called. */
  readonly tool: string;
  /** As the server sent it; secrets are not redacted. */
  readonly result: ToolResult;
  /** What may be shown; empty when `present` was false. */
  readonly shown: Presented;
}

export interface ReadRequest extends ServerRequest {
  readonly uri: string;
  readonly present?: boolean;
}

export interface ReadValue {
  readonly uri: string;
  /** As the server sent it. */
  readonly contents: readonly JsonValue[];
  readonly shown: Presented;
}

export interface ResourceLists {
  readonly resources: readonly ListedItem[];
  readonly resourceTemplates: readonly ListedItem[];
  readonly problems: readonly string[];
}

export interface ToolList {
  readonly info: SessionInfo;
  /** All pages; malformed ones left out. */
  readonly tools: readonly ListedItem[];
  readonly problems: readonly string[];
}

export interface PromptList {
  readonly prompts: readonly ListedItem[];
  readonly problems: readonly string[];
}

export interface PromptRequest extends ServerRequest {
  readonly prompt: string;
  /** Values by argument name, as the protocol has them: text. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly present?: boolean;
}

export interface PromptValue {
  readonly prompt: string;
  readonly description: string | undefined;
  /** `messages` as the server sent them: each with a role and one content block. */
  readonly messages: readonly JsonObject[];
  /** What may be shown: each message under its role; empty when `present` was false. */
  readonly shown: Presented;
}

/** One JSON-RPC request as somebody wrote it; the server is one that is reached over HTTP. */
export interface PostRequest extends ServerRequest {
  readonly method: string;
  /** Sent as they are; default {}. Where their `_meta` names a protocol version, the headers of that revision go with them. */
  readonly params?: JsonValue;
  /** Default 1. */
  readonly id?: string | number;
}

export interface PostValue {
  /** The response object as the server sent it, whether it holds a result or an error. */
  readonly response: JsonObject;
  /** Whether the server executed the request: `done` for a result, for an error what the protocol says of its code. */
  readonly execution: Execution;
}

/** A live look at a server; nothing is stored. */
export interface Inspection {
  readonly info: SessionInfo;
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly problems: readonly string[];
  readonly counters: SessionCounters;
}

/** A person signs in to a server that is reached over HTTP. */
export interface SignInRequest extends Asker {
  /** A configured name, or a definition that may be connected to. */
  readonly server: string | Definition;
  /** One of several sign-ins to the same server; default: the one of the definition, else the one used last. */
  readonly account?: string | undefined;
  /** Scopes beyond those that the server asks for, separated by blanks. */
  readonly scopes?: string | undefined;
  readonly person: Person;
  readonly signal?: AbortSignal | undefined;
}

export interface SignInValue {
  readonly server: string;
  readonly account: string;
  readonly issuer: string;
  /** What was granted, where the authorization server says so: else what was asked for. */
  readonly scopes?: string;
  /** ISO 8601; absent where the authorization server does not say. */
  readonly expiresAt?: string;
  /** Whether it goes on by itself after that. */
  readonly renews: boolean;
  /** Where it is kept. */
  readonly place: string;
}

export interface SignOutRequest {
  /** A name, also of a server that is disabled or that only the registry knows; a URL; or a definition, which may stand in no file any more. */
  readonly server: string | Definition;
  /** Default: all accounts. */
  readonly account?: string | undefined;
  /**
   * Default true. False: all accounts are forgotten on this machine, without a word to the authorization server; those of a URL that
   * another configured server has are kept.
   */
  readonly withdraw?: boolean;
  readonly caller?: Caller | undefined;
}

export interface SignOutValue {
  readonly server: string;
  /** Those that were signed in. */
  readonly accounts: readonly SignedOut[];
}

export interface SyncRequest extends ServerRequest {
  /** Overwrites a manually written server. */
  readonly force?: boolean;
}

export interface SyncValue {
  readonly info: SessionInfo;
  readonly changes: SyncedChanges;
  /** Items left out and text findings, one line each. */
  readonly problems: readonly string[];
  /** Why the tools could not be listed: the registry keeps those it had, everything else is brought up to date. */
  readonly toolsFailure?: Failure;
}

/** One server as `status` shows it. */
export interface ServerStatus {
  readonly name: string;
  /** Where it is known from. */
  readonly known: 'configured' | 'waiting' | 'registry-only' | 'broken';
  readonly enabled: boolean;
  readonly transport: 'stdio' | 'http' | undefined;
  /** The file its entry stands in, or the variable that names it. */
  readonly source: string | undefined;
  /** How many may be called. */
  readonly tools: number | undefined;
  /** How many there are besides that the entry's rules deny. */
  readonly denied: number;
  readonly syncedAt: string | undefined;
  readonly problem: string | undefined;
  /** Tools that are described differently from when a person approved them: they are asked for again. */
  readonly changedSinceApproval: readonly string[];
  readonly entries: readonly EntryStatus[];
}

export interface RuntimeStatus {
  readonly servers: readonly ServerStatus[];
  readonly tools: number;
  readonly denied: number;
  readonly notices: readonly string[];
}

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
