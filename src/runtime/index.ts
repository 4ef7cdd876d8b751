/**
 * runtime, floor 4: puts the rooms together. A call is prepared (no network), executed (lease, request, deadline) and
 * finalised (release, guard, events). Promises: no call is executed twice; every call ends; every failure says whether the
 * server may have executed it. May import floors 0 to 3; the rooms that talk to servers are loaded on first use.
 */
export { questionOf } from './errand.ts';
export { type Person, personAt } from './person.ts';
export type { Caller } from './caller.ts';
export type * from './consent-report.ts';
export type * from './context-report.ts';
export type * from './doctor-report.ts';
export { changesBlocks, type RuntimeEvent, type RuntimeListener } from './events.ts';
export type { Asker } from './asker.ts';
export {
  type Failed,
  failedOutcome,
  type FailureKind,
  hasValue,
  type Outcome,
  type Succeeded,
  type ToolFailed,
} from './outcome.ts';
export type { HostPorts } from './ports.ts';
export type * from './question.ts';
export { createRuntime } from './create.ts';
export { readArguments } from './fit-arguments.ts';
export { type EndedServer, endLeftServers } from './left-servers.ts';
export { mapText } from './map-text.ts';
export { type Places, placesFromEnvironment, placesOf } from './places.ts';
export { registeredServers, registryNameIn } from './registered.ts';
export { recordedTransport } from './recorded-transport.ts';
export type * from './reload-report.ts';
export type * from './call-request.ts';
export type * from './post-request.ts';
export type * from './runtime.ts';
export type * from './runtime-options.ts';
export type * from './server-contents.ts';
export type * from './server-request.ts';
export type * from './sign-in-request.ts';
export type * from './status-report.ts';
export type * from './sync-request.ts';
export type { SyncedChanges } from './synced-changes.ts';
export type * from './tool-search.ts';
export { waitingNote } from './not-started-notes.ts';
export { validateRegistry } from './validate.ts';
