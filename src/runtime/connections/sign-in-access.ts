/** The sign-ins of a runtime's servers: opened with the first server that is reached over HTTP. */
import type { ResolvedServer } from '../../config/index.ts';
import type { SecretStore, SecretStoreOptions } from '../../secrets/index.ts';
import { openSignIns, type SignIns, type SignInsOptions, type SignInSubject } from '../../session/index.ts';

export interface SignInAccess {
  /** What is known of sign-ins. */
  open(): Promise<SignIns>;
  /** Takes note that a connection is made to a server, given by its name in the registry, with the sign-in of now. */
  madeFor(server: string, subject: SignInSubject): void;
  /** Servers whose connections were made for another sign-in than that of now; each is told once. Costs one look at a file. */
  changed(): readonly string[];
  /** Resolves when nothing is under way that must not be broken off. */
  close(): Promise<void>;
}

export interface SignInAccessOptions extends Omit<SignInsOptions, 'secrets'> {
  /** Where secrets are kept, as settings and the environment say by then. */
  readonly secretStore: () => SecretStoreOptions;
}

export function createSignInAccess(options: SignInAccessOptions): SignInAccess {
  const { secretStore, ...rest } = options;
  let opening: Promise<SignIns> | undefined;
  let opened: SignIns | undefined;
  /** By server, and by what of it the caller's environment may decide. */
  const made = new Map<string, { readonly server: string; readonly subject: SignInSubject; readonly whose: string }>();
  return {
    madeFor(server, subject) {
      // What somebody just typed gets no stored sign-in (K6).
      if (opened === undefined || !subject.isStored) return;
      const key = JSON.stringify([server, subject.endpoint.url, subject.auth?.values.account]);
      if (!made.has(key)) made.set(key, { server, subject, whose: opened.whose(subject) });
    },
    changed() {
      const found = new Set<string>();
      for (const { server, subject, whose } of made.values()) if (opened?.whose(subject) !== whose) found.add(server);
      for (const [key, { server }] of made) if (found.has(server)) made.delete(key);
      return [...found];
    },
    async open() {
      opening ??= import('../../secrets/index.ts').then(({ openSecretStore }) => {
        let store: SecretStore | undefined;
        return openSignIns({ ...rest, secrets: () => (store ??= openSecretStore(secretStore())) });
      });
      return (opened = await opening);
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** Whose sign-in a resolved server's is; undefined for a process. Ad hoc servers get no stored credential (K6). */
export function signInSubject(
  { definition, endpoint, auth }: ResolvedServer,
  isConfigured: boolean,
): SignInSubject | undefined {
  if (endpoint.kind !== 'http') return undefined;
  const { name, source } = definition;
  const command = isConfigured ? `trestle login ${name}` : undefined;
  return { server: name, endpoint, auth, command, isStored: source.shape !== 'ad-hoc' };
}
