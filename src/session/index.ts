/**
 * session, floor 2: one conversation with one server. Finds era and transport,
 * reads lists to their end, keeps replies apart by id and type, translates foreign errors once. Promises: every request
 * ends by its deadline; nothing is sent twice; a failed dial leaves no process. May import base and wire.
 */
export type { Person } from './auth/code-flow.ts';
export type { SignInWanted } from './auth/failures.ts';
export type { SignInEntry } from './auth/sign-in-store.ts';
export { openSignIns } from './auth/open-sign-ins.ts';
export type { SignedIn, SignedOut, SignIns, SignInsOptions, SignInWish, SignOutWish } from './auth/sign-ins.ts';
export type { SignInSubject } from './auth/subject.ts';
export { dial } from './dial.ts';
export { postOnce, type RawReply, type RawRequest } from './post-once.ts';
export type { DialOptions, EraMemory, EraVerdict, SessionPorts } from './dial-options.ts';
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
