/**
 * base, floor 0: what every room needs and what knows nothing of MCP. Promises: no ambient input (environment, clock,
 * streams) is read except through a value handed in; the file system is reached through `files` alone. Imports nothing
 * of Trestle.
 */
export * from './at-once.ts';
export { holdsBigInteger, replaceIntegers } from './big-integers.ts';
export * from './clock.ts';
export * from './deadline.ts';
export * from './digest.ts';
export * from './ending.ts';
export * from './errors.ts';
export * from './inherited-environment.ts';
export * from './jitter.ts';
export * from './json.ts';
export * from './limits.ts';
export * from './log.ts';
export * from './names.ts';
export * from './own-commands.ts';
export * from './paths.ts';
export * from './random.ts';
export { lifeOf, ownIdentity, ownMachine, type ProcessIdentity } from './process-identity.ts';
export * from './proxies.ts';
export * from './scope.ts';
export * from './text.ts';
export * from './version.ts';

/*
 * The file system. Paths given by servers or models go through `containedPath`; whatever must survive a crash is written by
 * `writeFileAtomic`. The synchronous functions serve the start-up path of the command line, where an event loop turn costs more than
 * a read. Every function throws TrestleError `file_error` (message names path and reason) unless it says otherwise. Inside, the
 * builtin is not imported: that would evaluate its lazy parts (the promises) at start-up.
 */
export * from './files/bounded-log.ts';
export * from './files/descriptors.ts';
export { fileError } from './files/file-error.ts';
export * from './files/folders.ts';
export * from './files/lock.ts';
export * from './files/look.ts';
export * from './files/move-aside.ts';
export * from './files/private-paths.ts';
export * from './files/read.ts';
export { temporaryBeside, temporaryPrefix } from './files/temporary-name.ts';
export * from './files/write.ts';
export { writeCacheSync } from './files/write-cache.ts';
