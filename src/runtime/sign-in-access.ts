/** The sign-ins of a runtime's servers: opened with the first server that is reached over HTTP. */
import type { ResolvedServer } from '../config/index.ts';
import type { openSignIns, SignIns, SignInsOptions, SignInSubject } from '../session/index.ts';
import type { SecretStore, SecretStoreOptions } from '../secrets/index.ts';

export interface SignInAccess {
  /** What is known of sign-ins; `opener` is session's, which is loaded by then. */
  open(opener: typeof openSignIns, http: SignInsOptions['http']): Promise<SignIns>;
  /** Resolves when nothing is under way that must not be broken off. */
  close(): Promise<void>;
}

export interface SignInAccessOptions extends Omit<SignInsOptions, 'http' | 'secrets'> {
  /** Where secrets are kept, as settings and the environment say by then. */
  readonly secretStore: () => SecretStoreOptions;
}

export function createSignInAccess(options: SignInAccessOptions): SignInAccess {
  const { secretStore, ...rest } = options;
  let opening: Promise<SignIns> | undefined;
  return {
    open(opener, http) {
      opening ??= import('../secrets/index.ts').then(({ openSecretStore }) => {
        let store: SecretStore | undefined;
        return opener({ ...rest, http, secrets: () => (store ??= openSecretStore(secretStore())) });
      });
      return opening;
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** Whose sign-in a resolved server's is; undefined for a process. Ad hoc servers get no stored credential (K6). */
export function signInSubject({ definition, endpoint, auth }: ResolvedServer): SignInSubject | undefined {
  if (endpoint.kind !== 'http') return undefined;
  const { name, source } = definition;
  const command = source.shape === 'ad-hoc' ? undefined : `trestle login ${name}`;
  return { server: name, endpoint, auth, command };
}
