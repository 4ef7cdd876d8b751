/**
 * session, floor 2: one conversation with one server. Finds era and transport,
 * reads lists to their end, keeps replies apart by id and type, translates foreign errors once. Promises: every request
 * ends by its deadline; nothing is sent twice; a failed dial leaves no process. May import base and wire.
 *
 * - `dial`: from an endpoint to a ready session; transport, era, handshake. `calls`: one tool call, with all that it may take.
 * - `lists`: reading what a server has, and hearing that it changed. `auth`: sign-ins.
 */
export type { Person } from './auth/code-flow.ts';
export type { SignInWanted } from './auth/failures.ts';
export { openSignIns } from './auth/open-sign-ins.ts';
export type { SignInEntry } from './auth/sign-in-store.ts';
export type {
  SignedIn,
  SignedOut,
  SignIns,
  SignInsOptions,
  SignInWish,
  SignOutDone,
  SignOutWish,
} from './auth/sign-ins.ts';
export type { SignInSubject } from './auth/subject.ts';
export type { DialOptions, EraMemory, EraVerdict, SessionPorts } from './dial/dial-options.ts';
export { dial } from './dial/dial.ts';
export { postOnce, type RawReply, type RawRequest } from './post-once.ts';
export type {
  CallReply,
  ChangedList,
  Era,
  Listing,
  Progress,
  PromptReply,
  RequestControl,
  Session,
  SessionCounters,
  SessionInfo,
  SessionState,
  ToolCall,
} from './session.ts';
