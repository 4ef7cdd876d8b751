/**
 * trestle, the library: one runtime over all configured MCP servers, in process.
 */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { checkedUserHome, checkedWorkingFolder } from './base/index.ts';
import {
  createRuntime as createRuntimeFrom,
  placesFromEnvironment,
  placesOf,
  type Runtime,
  type RuntimeOptions,
} from './runtime/index.ts';

/** Options of {@link createRuntime}; all optional. */
export type CreateRuntimeOptions = Partial<Omit<RuntimeOptions, 'places' | 'reconcile'>> & {
  /** Trestle's home folder; default `$TRESTLE_HOME`, else `~/.trestle`. */
  readonly home?: string;
  /**
   * Whether the registry is brought up to servers.json at the start: what is new, changed or was never synced is synced in the
   * background, told by `synced` and `notice` events; no call waits for it or fails by it. Default true.
   */
  readonly reconcile?: boolean;
};

/**
 * A runtime over a Trestle home, with this process's environment and working folder unless given. Close it when done. Throws
 * `file_error` when the system knows no home or working folder.
 */
export function createRuntime(options: CreateRuntimeOptions = {}): Runtime {
  const { home, ...rest } = options;
  const env = rest.env ?? process.env;
  const userHome = rest.userHome ?? checkedUserHome(homedir);
  const cwd = rest.cwd ?? checkedWorkingFolder(() => process.cwd());
  return createRuntimeFrom({
    platform: process.platform,
    longLived: true,
    reconcile: true,
    ...rest,
    cwd,
    env,
    userHome,
    places: home === undefined ? placesFromEnvironment(setTo(env['TRESTLE_HOME']), { cwd, userHome }) : placesOf(home),
  });
}

function setTo(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : resolve(value);
}

export {
  type Clock,
  type ErrorCategory,
  type ErrorCode,
  errorCodes,
  type Execution,
  type Failure,
  type JsonObject,
  type JsonValue,
  type Log,
  parseJson,
  type Scope,
  stringifyJson,
  TrestleError,
} from './base/index.ts';
export type { ConfigView, Definition, Settings } from './config/index.ts';
export type { ContextBlock } from './context/index.ts';
export type { Approval, Presented, ShownBlock } from './policy/index.ts';
export type { Registry } from './registry/index.ts';
export type {
  Answer,
  ApprovalReport,
  Approved,
  ApproveRequest,
  Asker,
  Caller,
  CallRequest,
  CallValue,
  Choice,
  ChoiceId,
  ContextReport,
  ContextRequest,
  DoctorReport,
  DoctorRequest,
  Failed,
  FailureKind,
  FoundTools,
  HostPorts,
  HouseFinding,
  Inspection,
  LeftServer,
  Outcome,
  Person,
  Places,
  PostRequest,
  PostValue,
  PromptList,
  PromptRequest,
  PromptValue,
  Question,
  QuestionFact,
  ReadRequest,
  ReadValue,
  ReloadedServer,
  ReloadReport,
  ReloadRequest,
  ResourceLists,
  RevokeRequest,
  Runtime,
  RuntimeEvent,
  RuntimeListener,
  RuntimeStatus,
  ServerDiagnosis,
  ServerRequest,
  ServerStatus,
  SignInRequest,
  SignInValue,
  SignOutRequest,
  SignOutValue,
  SyncRequest,
  SyncValue,
  ToolList,
  ToolSearch,
  Verdict,
} from './runtime/index.ts';
export { hasValue } from './runtime/index.ts';
export type { Progress, SessionPorts } from './session/index.ts';
export {
  type AdapterOptions,
  type BridgeOptions,
  createAdapter,
  createBridge,
  type ToolControl,
  type ToolDefinition,
  type ToolObject,
  type ToolOutput,
} from './toolsets/index.ts';
