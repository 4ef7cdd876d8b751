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
  type ErrorCategory,
  type ErrorCode,
  errorCodes,
  type Execution,
  type Failure,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
  TrestleError,
} from './base/index.ts';
export type {
  CallRequest,
  CallValue,
  ContextReport,
  ContextRequest,
  DoctorReport,
  DoctorRequest,
  Failed,
  FailureKind,
  HostPorts,
  HouseFinding,
  Inspection,
  LeftServer,
  Outcome,
  ReadRequest,
  ReadValue,
  ReloadedServer,
  ReloadReport,
  ReloadRequest,
  ResourceLists,
  Runtime,
  RuntimeEvent,
  RuntimeListener,
  RuntimeStatus,
  ServerDiagnosis,
  ServerRequest,
  ServerStatus,
  SyncRequest,
  SyncValue,
  Verdict,
} from './runtime/index.ts';
export { hasValue } from './runtime/index.ts';
export {
  createAdapter,
  createBridge,
  type ToolControl,
  type ToolDefinition,
  type ToolObject,
  type ToolOutput,
} from './toolsets/index.ts';
