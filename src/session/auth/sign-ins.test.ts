import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SignInVices } from '../../../test/servers/sign-in.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { followPages } from '../../../test/support/follow-pages.ts';
import { makeKeyring, type TestKeyring } from '../../../test/support/keyring.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { signInStage } from '../../../test/support/sign-ins.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type Clock, limits, systemClock, TrestleError } from '../../base/index.ts';
import { openSecretStore, type SecretStore } from '../../secrets/index.ts';
import type { Person } from './code-flow.ts';
import type { ResolvedAuth } from './resolved-auth.ts';

const robot: ResolvedAuth = {
  kind: 'client-credentials',
  values: { clientId: 'robot', clientSecret: 'robots-own-secret' },
  redirectPort: undefined,
  dpop: false,
};
const person: ResolvedAuth = { kind: 'oauth', values: {}, redirectPort: undefined, dpop: false };

const rsaKey = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;

/** The real clock, on which the limits of a sign-in are over in a moment. */
const hasty: Clock = {
  ...systemClock,
  after: (delayMs, run, options) => {
    const isLimit = delayMs === limits.signIn.requestMs || delayMs === limits.signIn.personMs;
    return systemClock.after(isLimit ? 1_000 : delayMs, run, options);
  },
};

/** Only where a limit has to be over: on a busy machine everything else may take its time. */
const clockFor = (reason: string): Clock => (reason === 'no_answer' || reason === 'not_finished' ? hasty : systemClock);

async function failureOf(work: Promise<unknown>): Promise<TrestleError> {
  const error: unknown = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!(error instanceof TrestleError)) throw new Error('expected a TrestleError', { cause: error });
  return error;
}

interface Keychain {
  readonly keyring: TestKeyring;
  readonly store: SecretStore;
  /** Waits until it is asked, which it will not answer, and lets the time be over for which it is waited. */
  readonly timesOut: () => Promise<void>;
}

/** A store in a keychain, whose time goes on by hand alone. */
function keychain(): Keychain {
  const keyring = makeKeyring();
  const clock = createManualClock();
  const { platform, env } = process;
  const store = openSecretStore({ stateFolder: tempFolder(), env, platform, keyring: keyring.module, clock });
  return {
    keyring,
    store,
    async timesOut() {
      const asked = keyring.asked();
      await eventually(() => keyring.asked() > asked, 'a question to the keychain');
      await clock.advance(limits.keychainMs);
    },
  };
}

const refusing = async (): Promise<never> => {
  throw new TrestleError({ code: 'secrets_unavailable', message: 'The keychain is locked.', hint: 'Unlock it.' });
};

/** A keychain that was open when it was tried, and keeps nothing any more. */
const locked: SecretStore = {
  kind: 'keychain',
  place: "the system's keychain",
  get: async () => undefined,
  set: refusing,
  check: async () => {},
  remove: async () => false,
  names: async () => [],
};

const fileStore = (stateFolder: string): SecretStore =>
  openSecretStore({ stateFolder, env: {}, platform: process.platform, prefer: 'file' });

const hung = "The system's keychain cannot be used: it did not answer within 30 s; it may be locked.";

describe('a sign-in that cannot come about', () => {
  it.each<[vices: SignInVices, reason: string, says: RegExp]>([
    [{ description: 'silent' }, 'no_answer', /^Server "docs": http:\S+ did not answer within 20 s\.$/],
    [{ description: 'other-resource' }, 'resource_mismatch', /is that of another server \(https:\/\/bank\.example\)/],
    [{ description: 'private-description' }, 'insecure', /over HTTPS only, and http:\/\/169\.254\.169\.254 is not/],
    [{ description: 'empty' }, 'bad_answer', /answered what is no answer to a sign-in/],
    [{ metadata: 'empty' }, 'bad_answer', /answered what is no answer to a sign-in/],
    [{ metadata: 'silent' }, 'no_answer', /did not answer within 20 s/],
    [{ registration: 'empty' }, 'bad_answer', /answered what is no answer to a sign-in/],
    [{ metadata: 'html' }, 'bad_answer', /the authorization server http:\S+ does not describe itself/],
    [{ metadata: 'none' }, 'bad_answer', /does not describe itself/],
    [{ metadata: 'error-500' }, 'http_error', /answered HTTP 500 instead of a sign-in's answer/],
    [{ metadata: 'no-pkce' }, 'pkce_missing', /does not offer PKCE with S256/],
    [{ metadata: 'other-issuer' }, 'issuer_mismatch', /describes itself as https:\/\/other\.example/],
    [{ metadata: 'slash-issuer' }, 'issuer_mismatch', /describes itself as http:\S+\/\./],
    [{ metadata: 'insecure-token' }, 'insecure', /http:\/\/other\.example is not/],
    [{ registration: 'none' }, 'no_client', /registers no clients by itself/],
    [
      { description: 'none', metadata: 'none', registration: 'absent' },
      'no_client',
      /^Server "docs": http:\S+ describes no sign-in, and registers no clients\.$/,
    ],
    [{ challenge: 'basic' }, 'not_asked', /wants a credential of another kind \(Basic\), which no sign-in brings/],
    [{ registration: 'html' }, 'bad_answer', /answered what is no answer to a sign-in/],
    [{ registration: 'refused' }, 'registration_refused', /registers no client for us \(HTTP 400\)/],
    [{ registration: 'silent' }, 'no_answer', /did not answer within 20 s/],
    [{ answer: 'denied' }, 'refused', /the sign-in was refused \(access_denied\)/],
    [{ answer: 'other-issuer' }, 'issuer_mismatch', /answers as https:\/\/other\.example/],
    [{ answer: 'other-state' }, 'not_finished', /was not finished within 10 minutes/],
    [{ answer: 'never' }, 'not_finished', /was not finished within 10 minutes/],
  ])('K6: %j: %s, in one sentence, and no code is sent anywhere', async (vices, reason, says) => {
    const { signIn, server, stateFolder } = await signInStage(vices, { clock: clockFor(reason) });
    const failure = await failureOf(signIn());
    expect(failure).toMatchObject({ code: 'sign_in_failed', server: 'docs', details: { reason } });
    expect(failure.message).toMatch(says);
    expect(server.to('/token')).toEqual([]);
    expect(() => readFileSync(join(stateFolder, 'secrets.json'))).toThrow('ENOENT');
  });

  it.each<SignInVices>([{ description: 'private-issuer' }, { metadata: 'private-page' }])(
    'H11: with %j nothing in a private network is reached, nor opened in a browser',
    async (vices) => {
      const { signIns, subject, wish, server } = await signInStage(vices);
      const pages: string[] = [];
      const person: Person = { showPage: (url) => void pages.push(url) };
      const failure = await failureOf(signIns.signIn(subject, { ...wish, person }));
      expect(failure).toMatchObject({ code: 'address_refused', details: { host: '10.1.2.3' } });
      expect([pages, server.to('/register')]).toEqual([[], []]);
    },
  );

  it.each<[tokens: NonNullable<SignInVices['tokens']>, reason: string, says: RegExp]>([
    ['error-200', 'refused', /refuses the sign-in \(invalid_grant: that code is over\)/],
    ['refused', 'refused', /refuses the sign-in \(invalid_grant\)/],
    ['html', 'bad_answer', /answered what is no answer to a sign-in/],
    ['empty', 'bad_answer', /answered what is no answer to a sign-in/],
    ['error-502', 'http_error', /answered HTTP 502 instead/],
    ['silent', 'no_answer', /did not answer within 20 s/],
  ])('K6: tokens %s: %s, in one sentence', async (...[tokens, reason, says]) => {
    const { signIn } = await signInStage({ tokens }, { clock: clockFor(reason) });
    const failure = await failureOf(signIn());
    expect(failure).toMatchObject({ code: 'sign_in_failed', details: { reason } });
    expect(failure.message).toMatch(says);
  });

  it('K6: a failed sign-in takes nothing away from the one before', async () => {
    const { signIn, server, link } = await signInStage();
    await signIn();
    server.vices = { answer: 'denied' };
    await failureOf(signIn());
    expect(await (await link()).request('tools/call', { name: 'whoami' })).toHaveProperty('result');
  });

  it('K6: a keychain that refuses is one sentence, and nothing is sent', async () => {
    const stage = await signInStage();
    await stage.signIn();
    const refuse = async (): Promise<never> => {
      throw new TrestleError({ code: 'secrets_unavailable', message: 'The keychain is locked.' });
    };
    const store: SecretStore = {
      kind: 'keychain',
      place: '',
      get: refuse,
      set: refuse,
      check: refuse,
      remove: refuse,
      names: refuse,
    };
    const before = stage.server.seen.length;
    const link = await (await stage.elsewhere({ store })).link();
    expect(await failureOf(link.request('tools/call', { name: 'whoami' }))).toMatchObject({
      code: 'secrets_unavailable',
      message: 'The keychain is locked.',
      execution: 'not-sent',
    });
    expect(stage.server.seen).toHaveLength(before);
  });

  it('K6: a keychain that hangs ends a call within its limit, asked once however many calls there are; nothing is sent', async () => {
    const { keyring, store, timesOut } = keychain();
    const stage = await signInStage({}, { store });
    await stage.signIn();
    keyring.become('hang');
    const sent = stage.server.seen.length;
    let asked = 0;
    const get: SecretStore['get'] = (name) => {
      asked += 1;
      return store.get(name);
    };
    const link = await (await stage.elsewhere({ store: { ...store, get } })).link();
    const over = timesOut();
    const calls = ['whoami', 'administrate'].map((name) => failureOf(link.request('tools/call', { name })));
    await over;
    for (const failure of await Promise.all(calls)) {
      expect(failure).toMatchObject({ code: 'secrets_unavailable', message: hung, execution: 'not-sent' });
    }
    expect([stage.server.seen.length - sent, asked]).toEqual([0, 1]);
  });

  it('K6: a keychain that hangs ends a sign-in within its limit, before anybody is sent anywhere, and says so', async () => {
    const { keyring, store, timesOut } = keychain();
    const { signIn, server } = await signInStage({}, { store });
    keyring.become('hang');
    const over = timesOut();
    const signedIn = failureOf(signIn());
    await over;
    expect(await signedIn).toMatchObject({
      code: 'sign_in_failed',
      message: `Server "docs": nobody was asked to sign in, since it could not be stored: ${hung}`,
      details: { reason: 'not_stored' },
    });
    expect([server.to('/register'), server.to('/authorize')]).toEqual([[], []]);
  });

  it('K6: a renewal that a hanging keychain does not keep is used all the same, once the time is over for which it is waited', async () => {
    const { keyring, store, timesOut } = keychain();
    const stage = await signInStage({ rotating: true }, { store });
    await stage.signIn();
    const renewing = await (await stage.elsewhere()).link();
    await renewing.request('tools/call', { name: 'whoami' });
    stage.server.expireAll();
    keyring.become('hang-on-set');
    const over = timesOut();
    const call = renewing.request('tools/call', { name: 'whoami' });
    await over;
    expect(await call).toHaveProperty('result');
    expect(await renewing.request('tools/call', { name: 'whoami' })).toHaveProperty('result');
    expect(stage.server.grants('refresh_token')).toHaveLength(1);
  });

  it.each(['hang', 'refuse'] as const)(
    'K6: who signs out of a keychain that does %s is told so, and is not signed out',
    async (vice) => {
      const { keyring, store, timesOut } = keychain();
      const { signIn, signIns, subject } = await signInStage({}, { store });
      await signIn();
      keyring.become(vice);
      const over = timesOut();
      const signedOut = failureOf(signIns.signOut(subject));
      await over;
      expect(await signedOut).toMatchObject({ code: 'secrets_unavailable' });
      expect(signIns.entries(subject)).toHaveLength(1);
    },
  );

  it.each([
    ['a person', person],
    ['a client that acts for itself', robot],
  ])('K6: what %s signs in to and cannot be stored is said, and works as long as the process', async (_, auth) => {
    const { signIn, link, server } = await signInStage({}, { store: locked, auth });
    const failure = await failureOf(signIn());
    expect(failure).toMatchObject({ code: 'sign_in_failed', hint: 'Unlock it.', details: { reason: 'not_stored' } });
    expect(failure.message).toBe(
      'Server "docs": the sign-in worked, but it could not be stored: The keychain is locked.',
    );
    expect(await (await link()).request('tools/call', { name: 'whoami' })).toHaveProperty('result');
    expect(server.to('/token')).toHaveLength(1);
  });
});

describe('a sign-in', () => {
  it('K6: tokens without an end are used until they are refused', async () => {
    const { signIn, link, server } = await signInStage({ tokens: 'no-expiry' });
    expect(await signIn()).toMatchObject({ expiresAtMs: undefined, renews: true });
    await (await link()).request('tools/call', { name: 'whoami' });
    expect(server.grants('refresh_token')).toEqual([]);
  });

  it('K6: it is bound to its URL and account: another one is signed in to anew, and told nothing of it', async () => {
    const { signIn, stateFolder, elsewhere } = await signInStage();
    await signIn();
    const other = await signInStage({}, { stateFolder });
    expect(await failureOf((await other.link()).request('tools/list'))).toMatchObject({ code: 'auth_required' });
    expect(other.server.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
    const named = await elsewhere({ auth: { ...person, values: { account: 'work' } } });
    expect(await failureOf((await named.link()).request('tools/list'))).toMatchObject({ code: 'auth_required' });
    expect(await (await (await elsewhere()).link()).request('tools/list')).toHaveProperty('result');
  });

  it('K6: what is left of a connection stays with the account that it was made for', async () => {
    const { signIn, link, server, signIns, subject, elsewhere } = await signInStage();
    await signIn();
    const first = await link();
    const whose = signIns.whose(subject);
    await (await elsewhere({ auth: { ...person, values: { account: 'work' } } })).signIn();
    expect(signIns.whose(subject)).not.toBe(whose);
    const tokens = async (of: typeof first): Promise<string | undefined> => {
      await of.request('tools/list');
      return server.to('/mcp').at(-1)?.authorization;
    };
    expect(await tokens(first)).not.toBe(await tokens(await link()));
  });

  it('K6: where nothing says that a sign-in is what a server wants, the other way is told as well', async () => {
    const { link } = await signInStage({ challenge: 'none' });
    expect(await failureOf((await link()).request('tools/list'))).toMatchObject({
      code: 'auth_required',
      hint: 'Where it takes a token of its own, give that in "headers" of its entry, e.g. "Authorization": "Bearer ${TOKEN}". Else sign in: trestle login docs',
    });
  });

  it('K6: null in an answer is as nothing', async () => {
    const { signIn, link } = await signInStage({ nulls: true });
    expect(await signIn()).toMatchObject({ scope: 'read', expiresAtMs: undefined, renews: false });
    expect(await (await link()).request('tools/list')).toHaveProperty('result');
  });

  it('K6: what a client that acts for itself was given is no person’s at the same URL, and no other client’s', async () => {
    const stage = await signInStage();
    await (await stage.elsewhere({ auth: { ...person, values: { account: 'work' } } })).signIn();
    const other = { ...robot, values: { ...robot.values, clientId: 'other' } };
    const used = async (auth: ResolvedAuth): Promise<string | undefined> => {
      await (await (await stage.elsewhere({ auth })).link()).request('tools/list');
      return stage.server.to('/mcp').at(-1)?.authorization;
    };
    const tokens = [await used(person), await used(robot), await used(other)];
    expect(new Set(tokens).size).toBe(3);
    expect([await used(person), await used(robot), await used(other)]).toEqual(tokens);
    expect(stage.server.grants('client_credentials')).toHaveLength(2);
    const one = await stage.signIns.signOut(stage.subject, { account: 'work' });
    expect([one.accounts, one.left]).toEqual([[{ account: 'work', revoked: undefined }], [robot.kind, robot.kind]]);
    const all = await stage.signIns.signOut(stage.subject);
    expect([all.accounts.map(({ account }) => account), all.left]).toEqual([[robot.kind, robot.kind], []]);
  });

  it('K6: one of another issuer than the definition names by now is none, and nothing of it is sent', async () => {
    const stage = await signInStage();
    await stage.signIn();
    const naming = async (issuer: string): ReturnType<typeof stage.link> =>
      (await stage.elsewhere({ auth: { ...person, values: { issuer } } })).link();
    const sent = stage.server.seen.length;
    const call = (await naming('https://auth.example')).request('tools/list');
    expect(await failureOf(call)).toMatchObject({ code: 'auth_required' });
    expect(stage.server.seen.slice(sent).map(({ authorization }) => authorization)).not.toContainEqual(
      expect.any(String),
    );
    expect(await (await naming(`${stage.server.origin}/`)).request('tools/list')).toHaveProperty('result');
  });

  it('K6: one that is made while the one before is renewed stands over it', async () => {
    const stage = await signInStage();
    await stage.signIn();
    stage.server.expireAll();
    const file = fileStore(stage.stateFolder);
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const set: SecretStore['set'] = async (name, value) => {
      reached.resolve();
      await go.promise;
      await file.set(name, value);
    };
    const renewing = (await (await stage.elsewhere({ store: { ...file, set } })).link()).request('tools/list');
    await reached.promise;
    const made = await stage.elsewhere();
    const signedIn = made.signIn();
    await eventually(() => stage.server.grants('authorization_code').length === 2, 'the new tokens');
    // Enough for them to be kept, were they not to wait.
    await new Promise((resolve) => setTimeout(resolve, 300));
    go.resolve();
    await Promise.all([signedIn, renewing]);
    await (await (await stage.elsewhere()).link()).request('tools/list');
    expect(made.secrets).toContain(stage.server.to('/mcp').at(-1)?.authorization?.replace('Bearer ', ''));
  });

  it.each(['html', 'none'] as const)(
    'K6: a server without a description of itself (%s) is its own authorization server, as in 2025-03-26',
    async (description) => {
      const { signIn, link, server } = await signInStage({ description });
      expect(await signIn()).toMatchObject({ issuer: server.origin, scope: 'read' });
      expect(await (await link()).request('tools/list')).toHaveProperty('result');
      expect(server.to('/token')[0]?.body.has('resource')).toBe(false);
    },
  );

  it('K6: a server may name its authorization server with a slash at the end that this one does not have', async () => {
    const { signIn, link, server } = await signInStage({ description: 'slash-issuer' });
    expect(await signIn()).toMatchObject({ issuer: server.origin });
    expect(await (await link()).request('tools/list')).toHaveProperty('result');
  });

  it('K6: every secret of it is told to whoever hides secrets', async () => {
    const { signIn, server, secrets } = await signInStage();
    await signIn();
    const { body } = server.grants('authorization_code')[0] ?? {};
    for (const member of ['code', 'code_verifier']) expect(secrets).toContain(body?.get(member));
    expect([...secrets].filter((secret) => /^(access|refresh)-/.test(secret))).toHaveLength(2);
  });

  it('K6: the resource that a token is for is asked for at each step (RFC 8707)', async () => {
    const { signIn, server, link } = await signInStage();
    let page = '';
    const showPage = async (url: string): Promise<void> => {
      page = url;
      await followPages(url);
    };
    await signIn({ showPage });
    server.expireAll();
    await (await link()).request('tools/list');
    expect(new URL(page).searchParams.get('resource')).toBe(server.url);
    expect(server.to('/token').map(({ body }) => body.get('resource'))).toEqual([server.url, server.url]);
  });

  it('K6: a client is registered again where the port of its answers is taken', async () => {
    const { signIn, server } = await signInStage();
    let first = '';
    await signIn({
      showPage: async (url) => {
        first = new URL(url).searchParams.get('redirect_uri') ?? '';
        await followPages(url);
      },
    });
    await signIn();
    expect(server.to('/register')).toHaveLength(1);
    const taken = createServer().listen(Number(new URL(first).port), '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    onTestFinished(() => void taken.close());
    await signIn();
    expect(server.to('/register')).toHaveLength(2);
  });

  it('K6: a port that the definition names is used, or it is said that it is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const { signIn, server } = await signInStage({}, { auth: { ...person, redirectPort: port } });
    expect(await failureOf(signIn())).toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringContaining(String(port)) as unknown,
      details: { reason: 'port_in_use', port },
    });
    expect(server.to('/authorize')).toEqual([]);
  });

  it.each<ResolvedAuth>([
    robot,
    { ...robot, kind: 'workload', values: { assertion: 'who-this-machine-is' } },
    { ...person, values: { clientId: 'ours', clientSecret: 'our-own-secret' } },
  ])('K6: the credential of $kind goes to the issuer that it names, and to no other', async (given) => {
    const issuer = 'https://auth.example';
    const auth = { ...given, values: { ...given.values, issuer } };
    const { signIn, server } = await signInStage({}, { auth });
    const failure = await failureOf(signIn());
    expect(failure).toMatchObject({ code: 'sign_in_failed', details: { reason: 'issuer_changed', bound: issuer } });
    expect(server.to('/token')).toEqual([]);
  });

  it.each(['none', 'bearer'] as const)('K6: with auth %s nobody signs in', async (kind) => {
    const { signIn, signIns, subject } = await signInStage({}, { auth: { ...person, kind } });
    expect(await failureOf(signIn())).toMatchObject({ details: { reason: 'not_for_people' } });
    expect(signIns.authorization(subject)).toBeUndefined();
  });

  it('K6: an Authorization header of the definition is the only credential', async () => {
    const { signIns, subject, wish, server } = await signInStage();
    const given = { ...subject, endpoint: { ...subject.endpoint, headers: { AUTHORIZATION: 'Basic x' } } };
    expect(signIns.authorization(given)).toBeUndefined();
    expect(await failureOf(signIns.signIn(given, wish))).toMatchObject({
      message: 'Server "docs": its definition has an Authorization header, so nobody signs in to it.',
      details: { reason: 'not_for_people' },
    });
    expect(server.seen).toEqual([]);
  });
});

describe('renewing a sign-in', () => {
  it('K6: however many requests want it, one goes out', async () => {
    const { signIn, link, server } = await signInStage({ rotating: true, slowRenewalMs: 100 });
    await signIn();
    server.expireAll();
    const opened = await link();
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => opened.request('tools/call', { name: 'whoami' })));
    expect(replies.every((reply) => 'result' in reply)).toBe(true);
    expect(server.grants('refresh_token')).toHaveLength(1);
  });

  it('K6: what another process has renewed is used, without a question', async () => {
    const stage = await signInStage({ rotating: true });
    await stage.signIn();
    const here = await stage.link();
    await here.request('tools/list');
    stage.server.expireAll();
    const there = await (await stage.elsewhere()).link();
    await there.request('tools/list');
    await here.request('tools/list');
    expect(stage.server.grants('refresh_token')).toHaveLength(1);
  });

  it('K6: of two processes that want it at once, one asks', async () => {
    const stage = await signInStage({ rotating: true, slowRenewalMs: 100 });
    await stage.signIn();
    const opened = await Promise.all([stage.link(), stage.elsewhere().then((other) => other.link())]);
    await Promise.all(opened.map((link) => link.request('tools/list')));
    stage.server.expireAll();
    await Promise.all(opened.map((link) => link.request('tools/list')));
    expect(stage.server.grants('refresh_token')).toHaveLength(1);
  });

  it('K6: a token is renewed before it ends, and the request is sent once', async () => {
    const clock = createManualClock(Date.now());
    const { signIn, link, server } = await signInStage({ expiresInSeconds: 100 }, { clock });
    await signIn();
    await clock.advance(95_000);
    const before = server.to('/mcp').length;
    await (await link()).request('tools/call', { name: 'whoami' });
    expect(server.grants('refresh_token')).toHaveLength(1);
    expect(
      server
        .to('/mcp')
        .slice(before)
        .filter(({ method }) => method === 'POST'),
    ).toHaveLength(1);
  });

  it('K6: an authorization server in trouble is told, whatever digits its page has, and the sign-in stays', async () => {
    const { signIn, link, server } = await signInStage();
    await signIn();
    server.expireAll();
    server.vices = { tokens: 'error-502' };
    const opened = await link();
    expect(await failureOf(opened.request('tools/call', { name: 'whoami' }))).toMatchObject({
      code: 'sign_in_failed',
      execution: 'rejected',
      details: { reason: 'http_error', status: 502 },
    });
    server.vices = {};
    expect(await opened.request('tools/call', { name: 'whoami' })).toHaveProperty('result');
  });

  it.each<[tokens: NonNullable<SignInVices['tokens']>, reason: string]>([
    ['html', 'bad_answer'],
    ['empty', 'bad_answer'],
    ['silent', 'no_answer'],
    ['error-502', 'http_error'],
  ])(
    'K6: renewed with %s: %s, in one sentence; the call was not executed, and the sign-in stays',
    async (tokens, reason) => {
      const { signIn, link, server } = await signInStage({}, { clock: clockFor(reason) });
      await signIn();
      server.expireAll();
      server.vices = { tokens };
      const opened = await link();
      const before = server.seen.length;
      const failure = await failureOf(opened.request('tools/call', { name: 'whoami' }));
      expect(failure).toMatchObject({ code: 'sign_in_failed', execution: 'rejected', details: { reason } });
      expect(failure.message).toMatch(/^Server "docs": [^\n]+\.$/);
      expect(new Set(server.seen.slice(before).map(({ path }) => path))).toEqual(new Set(['/mcp', '/token']));
      server.vices = {};
      expect(await opened.request('tools/call', { name: 'whoami' })).toHaveProperty('result');
    },
  );

  it.each(['refused', 'error-200', 'own-error-200'] as const)(
    'K6: renewed with %s: a person has to sign in, and it is asked for once',
    async (tokens) => {
      const { signIn, link, server } = await signInStage();
      await signIn();
      server.expireAll();
      server.vices = { tokens };
      const opened = await link();
      const call = (): Promise<TrestleError> => failureOf(opened.request('tools/call', { name: 'whoami' }));
      for (const failure of [await call(), await call()]) expect(failure).toMatchObject({ code: 'auth_required' });
      expect(server.grants('refresh_token')).toHaveLength(1);
    },
  );

  it.each<[tokens: NonNullable<SignInVices['tokens']>, reason: string]>([
    ['html', 'bad_answer'],
    ['empty', 'bad_answer'],
    ['silent', 'no_answer'],
    ['error-502', 'http_error'],
    ['error-200', 'refused'],
  ])('K6: a client that acts for itself and is answered %s: %s, in one sentence', async (tokens, reason) => {
    const { link } = await signInStage({ tokens }, { auth: robot, clock: clockFor(reason) });
    const failure = await failureOf((await link()).request('tools/call', { name: 'whoami' }));
    expect(failure).toMatchObject({ code: 'sign_in_failed', details: { reason } });
    expect(failure.message).toMatch(/^Server "docs": [^\n]+\.$/);
  });

  it('K6: a grant that is over is asked for once, then a person has to sign in', async () => {
    const { signIn, link, server } = await signInStage();
    await signIn();
    server.expireAll();
    server.vices = { tokens: 'refused' };
    const opened = await link();
    for (let times = 0; times < 3; times += 1) {
      expect(await failureOf(opened.request('tools/list'))).toMatchObject({
        code: 'auth_required',
        hint: 'Sign in: trestle login docs',
      });
    }
    expect(server.grants('refresh_token')).toHaveLength(1);
  });

  it('K6: a new token that is refused is not replaced by another', async () => {
    const { link, server } = await signInStage({ takesNothing: true }, { auth: robot });
    const opened = await link();
    for (let times = 0; times < 3; times += 1) {
      expect(await failureOf(opened.request('tools/list'))).toMatchObject({ code: 'auth_required' });
    }
    expect(server.grants('client_credentials')).toHaveLength(1);
  });

  it('K6: it goes on though the request that wanted it is given up, and is not lost', async () => {
    const { signIn, link, server, signIns, secrets } = await signInStage({ rotating: true, slowRenewalMs: 200 });
    await signIn();
    server.expireAll();
    const opened = await link();
    const abort = new AbortController();
    const call = opened.request('tools/list', {}, { requestSignal: abort.signal });
    while (server.grants('refresh_token').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    await failureOf(call);
    await signIns.close();
    expect([...secrets].filter((secret) => /^(access|refresh)-/.test(secret))).toHaveLength(4);
    await opened.request('tools/list');
    expect(server.grants('refresh_token')).toHaveLength(1);
  });

  it('K6: a sign-out while it is renewed holds: what comes of the renewal is not kept, and is withdrawn as well', async () => {
    const stage = await signInStage({ rotating: true, slowRenewalMs: 200, revocation: true });
    await stage.signIn();
    stage.server.expireAll();
    const call = failureOf((await stage.link()).request('tools/list'));
    while (stage.server.grants('refresh_token').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const other = await stage.elsewhere();
    // Without a word to the server, which would else end what is being renewed.
    await other.signIns.forget(other.subject);
    expect(await call).toMatchObject({ code: 'auth_required' });
    expect(readFileSync(join(stage.stateFolder, 'secrets.json'), 'utf8')).not.toMatch(/access-|refresh-/);
    expect(other.signIns.entries(other.subject)).toEqual([]);
    const [, , access, refresh] = [...stage.secrets].filter((secret) => /^(access|refresh)-/.test(secret));
    expect(stage.server.to('/revoke').map(({ body }) => body.get('token'))).toEqual([refresh, access]);
  });

  it.each(['just before it is kept', 'just after it was kept'])('K6: a sign-out %s holds as well', async (when) => {
    const stage = await signInStage({ revocation: true });
    await stage.signIn();
    stage.server.expireAll();
    const file = fileStore(stage.stateFolder);
    const other = await stage.elsewhere();
    const signOut = (): Promise<unknown> => other.signIns.signOut(other.subject);
    const set: SecretStore['set'] = async (name, value) => {
      if (when === 'just before it is kept') await signOut();
      await file.set(name, value);
      if (when === 'just after it was kept') await signOut();
    };
    const renewing = await stage.elsewhere({ store: { ...file, set } });
    expect(await failureOf((await renewing.link()).request('tools/list'))).toMatchObject({ code: 'auth_required' });
    expect(readFileSync(join(stage.stateFolder, 'secrets.json'), 'utf8')).not.toMatch(/access-|refresh-/);
    expect(other.signIns.entries(other.subject)).toEqual([]);
  });

  it('K6: a renewal that is kept while somebody signs out leaves no token behind', async () => {
    const stage = await signInStage();
    await stage.signIn();
    stage.server.expireAll();
    const file = fileStore(stage.stateFolder);
    const renewing = await stage.elsewhere();
    let isRenewed = false;
    const remove: SecretStore['remove'] = async (name) => {
      const wasThere = await file.remove(name);
      if (!isRenewed) {
        isRenewed = true;
        await (await renewing.link()).request('tools/list').catch(() => {});
      }
      return wasThere;
    };
    // It knows the tokens by then, so what was just removed does not keep it from renewing them.
    await (await renewing.link()).request('tools/list').catch(() => {});
    stage.server.expireAll();
    const other = await stage.elsewhere({ store: { ...file, remove } });
    await other.signIns.signOut(other.subject);
    expect(stage.server.grants('refresh_token')).toHaveLength(2);
    expect(readFileSync(join(stage.stateFolder, 'secrets.json'), 'utf8')).not.toMatch(/access-|refresh-/);
  });

  describe('that could not be stored', () => {
    /** A process that holds a renewed token which it could not store, and what goes with its next request. */
    async function unsaved() {
      const stage = await signInStage({ rotating: true });
      await stage.signIn();
      const file = fileStore(stage.stateFolder);
      const link = await (await stage.elsewhere({ store: { ...file, set: refusing } })).link();
      const token = async (): Promise<string | undefined> => {
        await link.request('tools/list');
        return stage.server.to('/mcp').at(-1)?.authorization;
      };
      stage.server.expireAll();
      const held = await token();
      expect(await token()).toBe(held);
      return { stage, token, held };
    }

    it('K6: gives way where somebody signs in anew meanwhile', async () => {
      const { stage, token, held } = await unsaved();
      await stage.signIn();
      expect(await token()).not.toBe(held);
      expect(stage.server.grants('refresh_token')).toHaveLength(1);
    });

    it('K6: gives way where somebody signs out meanwhile', async () => {
      const { stage, token } = await unsaved();
      await stage.signIns.forget(stage.subject);
      expect(await failureOf(token())).toMatchObject({ code: 'auth_required' });
      expect(stage.server.grants('refresh_token')).toHaveLength(1);
    });
  });

  it.each([
    ['is none', 'privateKey', 'sk-none'],
    ['is of another kind than the algorithm', 'privateKey', rsaKey],
    ['of a file is none', 'privateKeyFile', 'sk-none'],
  ] as const)('K6: a private key that %s is told as that, and nobody is blamed for it', async (_, member, key) => {
    const file = join(tempFolder(), 'key.pem');
    writeFileSync(file, key);
    const given = member === 'privateKey' ? { privateKey: key } : { privateKeyFile: file };
    const auth: ResolvedAuth = { ...robot, kind: 'private-key-jwt', values: { clientId: 'robot', ...given } };
    const { link, server } = await signInStage({}, { auth });
    const failure = await failureOf((await link()).request('tools/list'));
    expect(failure).toMatchObject({
      code: 'config_entry_invalid',
      message: `Server "docs": nothing can be signed by ES256 with the key of auth.${member}.`,
      details: { field: `auth.${member}` },
    });
    expect(String(failure)).not.toContain(key);
    expect(server.to('/token')).toEqual([]);
  });

  it('K6: an assertion is read from its file anew for each token, and its absence is told', async () => {
    const assertionFile = join(tempFolder(), 'identity');
    const auth: ResolvedAuth = { ...robot, kind: 'workload', values: { assertionFile } };
    const { link, server } = await signInStage({}, { auth });
    const opened = await link();
    expect(await failureOf(opened.request('tools/list'))).toMatchObject({
      code: 'config_entry_invalid',
      details: { field: 'auth.assertionFile' },
    });
    writeFileSync(assertionFile, 'first-assertion\n');
    await failureOf(opened.request('tools/list'));
    writeFileSync(assertionFile, 'second-assertion\n');
    await failureOf(opened.request('tools/list'));
    const sent = server.to('/token').map(({ body }) => body.get('assertion'));
    expect(sent).toEqual(['first-assertion', 'second-assertion']);
  });
});

describe('step-up', () => {
  it('K6: what a sign-in has asked for once is not proposed again', async () => {
    const { signIn, link } = await signInStage();
    await signIn();
    const opened = await link();
    const call = (): Promise<TrestleError> => failureOf(opened.request('tools/call', { name: 'administrate' }));
    expect(await call()).toMatchObject({
      code: 'auth_required',
      execution: 'rejected',
      details: { scope: 'read admin' },
    });
    await signIn();
    expect(await opened.request('tools/call', { name: 'administrate' })).toHaveProperty('result');
  });

  it('K6: a client that acts for itself steps up by itself, with what it had', async () => {
    const { link, server } = await signInStage({}, { auth: robot });
    const opened = await link();
    expect(await opened.request('tools/call', { name: 'administrate' })).toHaveProperty('result');
    expect(server.grants('client_credentials').map(({ body }) => body.get('scope'))).toEqual(['read', 'read admin']);
  });
});

describe('signing out', () => {
  it.each([
    ['access-only', 2],
    ['silent', 1],
  ] as const)(
    'K6: where withdrawing is %s it is told as not done, each kind of token was tried, and nothing is left here',
    async (revocation, asked) => {
      const stage = await signInStage({ revocation });
      await stage.signIn();
      const { signIns } = await stage.elsewhere({ clock: revocation === 'silent' ? hasty : systemClock });
      expect(await signIns.signOut(stage.subject)).toEqual({
        accounts: [{ account: 'default', revoked: false }],
        left: [],
      });
      expect(stage.server.to('/revoke')).toHaveLength(asked);
      expect(stage.signIns.entries(stage.subject)).toEqual([]);
      expect(readFileSync(join(stage.stateFolder, 'secrets.json'), 'utf8')).not.toMatch(/access-|refresh-/);
    },
  );

  it('K6: whoever gives up waits for nobody, and is signed out here', async () => {
    const stage = await signInStage({ revocation: 'silent' });
    await stage.signIn();
    const giveUp = new AbortController();
    const signedOut = stage.signIns.signOut(stage.subject, { signal: giveUp.signal });
    await eventually(() => stage.server.to('/revoke').length > 0, 'the request to withdraw');
    giveUp.abort(new TrestleError({ code: 'cancelled', message: 'Given up.' }));
    expect(await signedOut).toEqual({ accounts: [{ account: 'default', revoked: false }], left: [] });
    expect(stage.signIns.entries(stage.subject)).toEqual([]);
  });
});
