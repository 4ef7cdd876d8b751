/**
 * secrets, floor 1: values that only this user may read, by name, apart for each home. Kept in the system's keychain where
 * `@napi-rs/keyring` is installed, else in a file of mode 0600. Promises: a value is in one place; a keychain that refuses, is locked
 * or hangs is one clear error within a deadline and never a quiet change of place; no value stands in the arguments or the environment
 * of a process. May import base. Only this room knows that package.
 */
export { namesInFile, ofSignIns } from './names-in-file.ts';
export { secretsStamp } from './stamp.ts';
export { openSecretStore, type SecretStore, type SecretStoreOptions } from './store.ts';
