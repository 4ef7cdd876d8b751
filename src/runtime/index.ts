/**
 * runtime, floor 4: puts the rooms together. A call is prepared (no network), executed (lease, request, deadline) and
 * finalised (release, guard, events). Promises: no call is executed twice; every call ends; every failure says whether the
 * server may have executed it. May import floors 0 to 3; the rooms that talk to servers are loaded on first use.
 *
 * - `requests`: what is asked of one server, a call first of all.
 * - `servers`: which servers there are, for whom, and what of them may be seen.
 * - `connections`: everything that is connected.
 * - `consent`: what a person has to allow, how they are asked, and what is kept of it.
 * - `sync`: the registry and the connections brought up to servers and configuration.
 * - `context`: what a model is told, and finds.
 * - `health`: what is known of servers and files, and what is wrong with them.
 */
export type { Asker } from './asker.ts';
export type { Caller } from './caller.ts';
export type * from './consent/consent-report.ts';
export { questionOf } from './consent/errand.ts';
export { type Person, personAt } from './consent/person.ts';
export type * from './consent/question.ts';
export type * from './context/context-report.ts';
export type * from './context/tool-search.ts';
export { createRuntime } from './create.ts';
export { changesBlocks, type RuntimeEvent, type RuntimeListener } from './events.ts';
export type * from './health/doctor-report.ts';
export { type EndedServer, endLeftServers } from './health/left-servers.ts';
export type * from './health/status-report.ts';
export { validateRegistry } from './health/validate.ts';
export { mapText } from './map-text.ts';
export {
  type Failed,
  failedOutcome,
  type FailureKind,
  hasValue,
  type Outcome,
  type Succeeded,
  type ToolFailed,
} from './outcome.ts';
export { type Places, placesFromEnvironment, placesOf } from './places.ts';
export type { HostPorts } from './ports.ts';
export { redactedJson } from './redacted-json.ts';
export type * from './requests/call-request.ts';
export { readArguments } from './requests/fit-arguments.ts';
export type * from './requests/post-request.ts';
export type * from './requests/server-contents.ts';
export type * from './requests/server-request.ts';
export type * from './requests/sign-in-request.ts';
export type * from './runtime-options.ts';
export type * from './runtime.ts';
export { waitingNotes } from './servers/not-started-notes.ts';
export { registeredServers, registryNameIn } from './servers/registered.ts';
export { dueReason } from './sync/due.ts';
export { recordedTransport } from './sync/recorded-transport.ts';
export type * from './sync/reload-report.ts';
export type * from './sync/sync-request.ts';
export type { SyncedChanges } from './sync/synced-changes.ts';
