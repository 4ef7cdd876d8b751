/**
 * pool, floor 3: keeps sessions. Promises: concurrent first uses share one dial; two keys never share a session; closing a
 * scope leaves no process; one failed entry blocks no other. May import base and session.
 */
export {
  createPool,
  type EntryChange,
  type EntryState,
  type EntryStatus,
  type Lease,
  type LeaseEnd,
  type Pool,
  type PoolOptions,
  type Target,
} from './pool.ts';
