import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import type { ContextReport, Runtime, RuntimeListener, RuntimeStatus, ServerStatus } from '../../runtime/index.ts';
import { footerText, openFooter } from './footer.ts';

type Server = Pick<ServerStatus, 'known' | 'enabled' | 'entries'>;

const entry = (state: string) => ({ state }) as ServerStatus['entries'][number];
const server = (states: readonly string[], rest: Partial<Server> = {}): Server => ({
  known: 'configured',
  enabled: true,
  entries: states.map(entry),
  ...rest,
});
const facts = { tools: 41, tokens: 1_234, budgetTokens: 4_000 };

describe('the text of the footer', () => {
  it.each([
    [[server(['ready']), server(['dialling', 'ready']), server([])], 'mcp 2/3 · 41 tools · 1.2k/4k tok'],
    [[server([]), server(['ready'], { enabled: false })], 'mcp 0/1 · 41 tools · 1.2k/4k tok'],
    [[server([]), server([], { known: 'waiting' })], 'mcp 0/1 · 41 tools · 1.2k/4k tok · 1 to approve'],
    [[server([], { known: 'broken' }), server([], { known: 'registry-only' })], undefined],
    [[], undefined],
  ])('N1: counts those that are connected of those that can be', (servers, text) => {
    expect(footerText({ ...facts, servers })).toBe(text);
  });

  it('N1: one is one, and small counts are exact', () => {
    const servers = [server([])];
    expect(footerText({ servers, tools: 1, tokens: 999, budgetTokens: 12_500 })).toBe(
      'mcp 0/1 · 1 tool · 999/12.5k tok',
    );
  });
});

const statusOf = (servers: readonly Server[]): RuntimeStatus => ({
  servers: servers as readonly ServerStatus[],
  tools: 0,
  denied: 0,
  notices: [],
});

/** A footer over a runtime whose state a test changes. */
function open() {
  let servers: readonly Server[] = [server([])];
  let listener: RuntimeListener | undefined;
  let looks = 0;
  const shown: (string | undefined)[] = [];
  const clock = createManualClock();
  const runtime: Pick<Runtime, 'status' | 'context' | 'subscribe'> = {
    async status() {
      looks += 1;
      return statusOf(servers);
    },
    context: async () => ({ ...facts, receipt: { budgetTokens: 4_000 } }) as unknown as ContextReport,
    subscribe(given) {
      listener = given;
      return () => (listener = undefined);
    },
  };
  const remove = openFooter({
    runtime,
    ui: { setStatus: (key, text) => void (expect(key).toBe('mcp-bridge'), shown.push(text)) },
    readsFiles: () => true,
    clock,
  });
  return {
    remove,
    shown,
    clock,
    looks: () => looks,
    isListening: () => listener !== undefined,
    connect: () => {
      servers = [server(['ready'])];
      for (let times = 0; times < 20; times += 1) listener?.({ kind: 'session', server: 'demo', state: 'ready' });
    },
  };
}

it('N1: the footer follows what happens, many events by one look, and is gone in the end', async () => {
  const { remove, shown, clock, looks, isListening, connect } = open();
  await clock.advance(1_000);
  connect();
  await clock.advance(1_000);
  connect();
  await clock.advance(1_000);
  remove();
  remove();
  connect();
  await clock.advance(1_000);
  expect(shown).toEqual(['mcp 0/1 · 41 tools · 1.2k/4k tok', 'mcp 1/1 · 41 tools · 1.2k/4k tok', undefined]);
  expect([looks(), isListening(), clock.pending]).toEqual([3, false, 0]);
});

it('N2: a session that Pi has replaced keeps nobody from closing', async () => {
  const runtime: Pick<Runtime, 'status' | 'context' | 'subscribe'> = {
    status: async () => statusOf([server([])]),
    context: async () => ({ ...facts, receipt: { budgetTokens: 4_000 } }) as unknown as ContextReport,
    subscribe: () => () => {},
  };
  const clock = createManualClock();
  let calls = 0;
  const setStatus = (): never => {
    calls += 1;
    throw new Error('this context is stale');
  };
  const remove = openFooter({ runtime, ui: { setStatus }, readsFiles: () => true, clock });
  await clock.advance(1_000);
  expect(remove).not.toThrow();
  expect(calls).toBe(2);
});
