import { onTestFinished } from 'vitest';
import { type Clock, noProxies, silentLog, systemClock } from '../../src/base/index.ts';
import { openSecretStore, type SecretStore } from '../../src/secrets/index.ts';
import {
  openSignIns,
  type Person,
  type SignedIn,
  type SignIns,
  type SignInSubject,
  type SignInWish,
} from '../../src/session/index.ts';
import { createHttpClient } from '../../src/wire/index.ts';
import { type SignInServer, type SignInVices, startSignInServer } from '../servers/sign-in.ts';
import { followPages } from './follow-pages.ts';
import { type TestHttpLink, testHttpLink } from './http-link.ts';
import { tempFolder } from './temp-folder.ts';

export interface SignInStage {
  readonly server: SignInServer;
  readonly signIns: SignIns;
  readonly subject: SignInSubject;
  readonly stateFolder: string;
  /** What came to be known as secret. */
  readonly secrets: Set<string>;
  /** Of a person with a browser that follows the pages. */
  readonly wish: SignInWish;
  /** Signs in with a browser that follows the pages. */
  readonly signIn: (person?: Person) => Promise<SignedIn>;
  /** A link whose requests the sign-in allows, started. */
  readonly link: () => Promise<TestHttpLink>;
  /** The same sign-ins as another process has them. */
  readonly elsewhere: (options?: StageOptions) => Promise<SignInStage>;
}

export interface StageOptions {
  readonly auth?: SignInSubject['auth'];
  readonly clock?: Clock;
  readonly store?: SecretStore;
  readonly stateFolder?: string;
  readonly server?: SignInServer;
}

/** A server behind a sign-in, and the sign-ins of one process. All is closed when the running test ends. */
export async function signInStage(vices: SignInVices = {}, options: StageOptions = {}): Promise<SignInStage> {
  const { clock = systemClock, stateFolder = tempFolder(), auth } = options;
  const server = options.server ?? (await startSignInServer(vices));
  const http = createHttpClient({ clock });
  const file = openSecretStore({ stateFolder, env: {}, platform: process.platform, prefer: 'file' });
  const secrets = new Set<string>();
  const onSecret = (secret: string): void => void secrets.add(secret);
  const signIns = await openSignIns({
    clock,
    log: silentLog,
    http,
    stateFolder,
    secrets: () => options.store ?? file,
    onSecret,
  });
  onTestFinished(async () => {
    await signIns.close();
    await http.close();
    await server.close();
  });
  const endpoint = {
    kind: 'http',
    url: server.url,
    headers: {},
    transport: 'auto',
    redirects: 'same-origin',
    proxies: noProxies,
  } as const;
  const subject: SignInSubject = { server: 'docs', endpoint, auth, command: 'trestle login docs', isStored: true };
  const keeper = { start: noProcesses, close: async () => {} };
  const wish: SignInWish = { person: { showPage: followPages }, wire: { clock, log: silentLog, http, keeper } };
  return {
    server,
    signIns,
    subject,
    stateFolder,
    secrets,
    wish,
    signIn: (person = wish.person) => signIns.signIn(subject, { ...wish, person }),
    async link() {
      const authorization = signIns.authorization(subject);
      const link = testHttpLink(server.url, authorization === undefined ? {} : { authorization });
      await link.link.start();
      return link;
    },
    elsewhere: (more = {}) => signInStage({}, { ...options, stateFolder, server, ...more }),
  };
}

function noProcesses(): never {
  throw new Error('a sign-in starts no process');
}
