/**
 * base, floor 0: what every room needs and what knows nothing of MCP. Promises: no ambient input (environment, clock,
 * streams) is read except through a value handed in; the file system is reached through `files` alone. Imports nothing
 * of Trestle.
 */
export * from './at-once.ts';
export * from './bounded-log.ts';
export { holdsBigInteger, replaceIntegers } from './big-integers.ts';
export * from './clock.ts';
export * from './deadline.ts';
export * from './descriptors.ts';
export * from './digest.ts';
export * from './ending.ts';
export * from './errors.ts';
export { fileError } from './file-error.ts';
export * from './files.ts';
export * from './inherited-environment.ts';
export * from './jitter.ts';
export * from './json.ts';
export * from './limits.ts';
export * from './lock.ts';
export * from './log.ts';
export * from './move-aside.ts';
export * from './names.ts';
export * from './own-commands.ts';
export * from './paths.ts';
export * from './private-paths.ts';
export * from './random.ts';
export { lifeOf, ownIdentity, ownMachine, type ProcessIdentity } from './process-identity.ts';
export * from './proxies.ts';
export * from './scope.ts';
export * from './text.ts';
export * from './version.ts';
