import { asTrestleError } from '../base/index.ts';
import { personAt } from './consent/person.ts';
import type { Blocks } from './context/blocks.ts';
import { type Core, shownFailure } from './core.ts';
import { changesBlocks, type RuntimeEvent, type RuntimeListener } from './events.ts';
import { openCore } from './open-core.ts';
import type { Outcome } from './outcome.ts';
import type * as Requests from './requests.ts';
import type { CallRequest, CallValue } from './requests/call-request.ts';
import type { ServerRequest } from './requests/server-request.ts';
import type { SignInRequest, SignInValue } from './requests/sign-in-request.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import type { Runtime } from './runtime.ts';
import { callableFacts, callableServers } from './servers/callable-servers.ts';
import { variablesOf } from './servers/variables.ts';
import { createReloads } from './sync/reloads.ts';

/** A runtime over the files of `options.places`. Starts nothing and connects nothing. */
export function createRuntime(options: RuntimeOptions): Runtime {
  const listeners = new Set<RuntimeListener>();
  const tell = (event: RuntimeEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        // Whoever listens must not be able to fail a call.
        options.log?.warn(`a listener failed: ${asTrestleError(error).message}`);
      }
    }
    // Only where somebody has asked for the block; told after what changed it.
    if (changesBlocks(event)) void refreshBlocks();
  };
  const { core, readConfig, lastConfig } = openCore(options, tell);
  let loading: Promise<typeof Requests> | undefined;
  const requests = (): Promise<typeof Requests> => (loading ??= import('./requests.ts'));
  let opening: Promise<Blocks> | undefined;
  const blocks = (): Promise<Blocks> =>
    (opening ??= import('./context/blocks.ts').then(({ openBlocks }) => openBlocks(core)));
  const refreshBlocks = async (): Promise<void> => (await opening)?.refresh();
  let closing: Promise<void> | undefined;
  const reloads = createReloads({ core, readConfig, lastConfig, apply: options.longLived === true });
  if (options.longLived === true && options.reconcile === true) reloads.begin();
  const end = async (): Promise<void> => {
    await Promise.all([reloads.close(), core.refreshes.close(), core.connections.close()]);
    await core.spillSweeps.close();
    await (await opening)?.close();
  };

  const { ask, person: whoSignsIn } = options.ports ?? {};
  const person = ask === undefined ? undefined : personAt(ask, core.clock);
  const signIn = (request: SignInRequest): Promise<Outcome<SignInValue>> =>
    outcomeOf(core, async () => done(await (await requests()).signIn(core, request)));
  /** What `work` comes to, a person asked where that is needed. */
  const allowed = <T>(
    { server, signal, caller, scope }: Allowable,
    work: (loaded: typeof Requests) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const attempt = (): Promise<Outcome<T>> => outcomeOf(core, async () => work(await requests()));
    if (person === undefined) return attempt();
    const byPage = whoSignsIn && { signIn: () => signIn({ server, signal, caller, scope, person: whoSignsIn }) };
    return person.allowing(attempt, { signal, answer, ...byPage });
  };
  const answer: Runtime['answer'] = async (given) => (await requests()).answerQuestion(core, given);

  const call = async (request: CallRequest): Promise<Outcome<CallValue>> => {
    const startedMs = core.clock.monotonicMs();
    const outcome = await allowed(request, ({ callTool }) => callTool(core, request));
    tell({
      kind: 'call',
      server: nameOf(request.server),
      tool: hasTool(outcome) ? outcome.value.tool : request.tool,
      outcome: outcome.kind,
      durationMs: core.clock.monotonicMs() - startedMs,
      scope: request.scope ?? core.scope,
    });
    return outcome;
  };

  return {
    registry: core.visible,
    places: options.places,
    config: readConfig,
    callable: (asker = {}) => callableServers(callableFacts(core, asker)),
    settings: core.settings,
    variables: (server, asker) => variablesOf(core, server, asker),
    call,
    checkCall: async (request) => (await import('./requests/prepare.ts')).refusalOf(core, request),
    checkServer: async (server, asker) => (await import('./requests/prepare.ts')).serverRefusal(core, server, asker),
    read: (request) => allowed(request, async ({ readResource }) => done(await readResource(core, request))),
    listTools: (request) => allowed(request, async ({ listTools }) => done(await listTools(core, request))),
    listResources: (request) => allowed(request, async ({ listResources }) => done(await listResources(core, request))),
    listPrompts: (request) => allowed(request, async ({ listPrompts }) => done(await listPrompts(core, request))),
    getPrompt: (request) => allowed(request, async ({ getPrompt }) => done(await getPrompt(core, request))),
    inspect: (request) => allowed(request, async ({ inspectServer }) => done(await inspectServer(core, request))),
    post: (request) => allowed(request, async ({ postRequest }) => done(await postRequest(core, request))),
    // A sign-in lacks nothing but the word of the person that makes it.
    signIn: (request) => allowed(request, () => signIn(request)),
    signOut: (request) => outcomeOf(core, async () => done(await (await requests()).signOut(core, request))),
    sync: (request) => allowed(request, async ({ syncServer }) => done(await syncServer(core, request))),
    search: async (request) => (await import('./context/search.ts')).searchTools(core, request),
    async reload(request = {}) {
      try {
        return await reloads.reload(request);
      } finally {
        tell({ kind: 'reloaded' });
      }
    },
    answer,
    approvals: async (scope) => (await requests()).approvalReport(core, scope),
    async approve(request) {
      try {
        return await (await requests()).approveServer(core, request);
      } finally {
        // What it may be told of now is in the registry already where it was approved before.
        void refreshBlocks();
      }
    },
    async revoke(request) {
      try {
        return await (await requests()).revokeApprovals(core, request);
      } finally {
        void refreshBlocks();
      }
    },
    checkFiles: async (asker = {}) => (await import('./health/inspect-files.ts')).checkFiles(core, asker),
    doctor: async (request = {}) => (await requests()).examine(core, request),
    async forget(server) {
      core.connections.retire(server);
      try {
        const registry = await core.registry.remove(server);
        await (await import('./requests/sign-in.ts')).forgetSignIns(core, server);
        return { registry };
      } finally {
        core.descriptors.forget();
        tell({ kind: 'forgotten', server });
      }
    },
    holdsKept: () => core.connections.hasKept(),
    disconnect: (server, scope) => core.connections.disconnect(server, scope ?? core.scope),
    status: async (asker) => (await import('./health/status.ts')).statusOf(core, asker),
    context: async (request = {}) => (await blocks()).block(request),
    refreshContext: refreshBlocks,
    refreshSignIns: async () => core.connections.refreshSignIns(),
    inlinedTokens: async () => (await blocks()).inlinedTokens(),
    present: async (blocks, label, scope) =>
      (await requests()).presentBlocks(core, blocks, { label, asker: { scope } }),
    keep: async (text, label, scope) => (await requests()).keepWhole(core, text, { label, asker: { scope } }),
    redact: (text) => core.redactor.redact(text),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    closeScope(scope) {
      core.approvals.closeScope(scope);
      return core.connections.closeScope(scope);
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}

/** What is known of every request that a person may have to allow. */
type Allowable = Pick<ServerRequest, 'server' | 'signal' | 'caller' | 'scope'>;

function done<T>(value: T): Outcome<T> {
  return { kind: 'ok', value, execution: 'done', notes: [] };
}

/** What `work` comes to; whatever it throws is an outcome too. */
async function outcomeOf<T>(core: Core, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    return shownFailure(core, asTrestleError(error));
  }
}

function nameOf(server: string | { readonly name: string }): string {
  return typeof server === 'string' ? server : server.name;
}

function hasTool(outcome: Outcome<CallValue>): outcome is Extract<Outcome<CallValue>, { readonly value: CallValue }> {
  return 'value' in outcome;
}
