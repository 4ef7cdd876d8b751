/**
 * pool, floor 3: keeps sessions, connects those that are kept alive anew, asks silent ones for signs of life. Promises:
 * concurrent first uses share one dial; two keys never share a session; closing a scope leaves no process; one failed entry blocks
 * no other; no server is tried anew without end. May import base and session.
 */
export type { EntryChange, EntryState, EntryStatus, NextTry } from './entry-status.ts';
export { createPool, type Pool, type PoolOptions } from './pool.ts';
export type { Lease, LeaseEnd, Target } from './target.ts';
