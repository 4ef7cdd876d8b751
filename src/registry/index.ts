/**
 * registry, floor 1: the folder of tool descriptors on disk. Plain data in, plain data out; knows nothing of connections.
 * Promises: a reader never sees half a file, an interrupted sync is noticed and repaired, a corrupt file is reported and
 * never overwritten silently, nothing is ever written outside the registry's folder. May import base.
 */
export type * from './records.ts';
export type * from './registry.ts';
export { descriptorDigest, findingError, openRegistry } from './registry.ts';
