/**
 * registry, floor 1: the folder of tool descriptors on disk. Plain data in, plain data out; knows nothing of connections.
 * Promises: a reader never sees half a file, an interrupted sync is noticed and repaired, a corrupt file is reported and
 * never overwritten silently, nothing is ever written outside the registry's folder. May import base.
 */
export { type ChangedPart, partDigests, partsThatDiffer } from './descriptor-parts.ts';
export type { ChangedItem, ListChanges } from './diff.ts';
export { descriptorDigest } from './digests.ts';
export { findingError, type Read, type RegistryFinding } from './finding.ts';
export type { IndexedServer, IndexedTool } from './index-entry.ts';
export type * from './records.ts';
export type { ApplyOptions } from './apply.ts';
export type { SyncChanges } from './plan.ts';
export type { SearchHit, SearchPage, SearchRequest } from './search/search.ts';
export { openRegistry, type Registry, type ResourceItems } from './registry.ts';
