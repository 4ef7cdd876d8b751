/** The line in Pi's footer: `mcp 2/5 · 41 tools · 1.2k/4k tok`. */
import { type Clock, limits, systemClock, type Timer } from '../../base/index.ts';
import type { Runtime, RuntimeEvent, ServerStatus } from '../../runtime/index.ts';
import { readsFiles } from './active-tools.ts';
import type { OpenBridge } from './bridge.ts';
import type { PiUi } from './pi.ts';

export interface FooterOptions {
  readonly runtime: Pick<Runtime, 'status' | 'context' | 'subscribe'>;
  readonly ui: Pick<PiUi, 'setStatus'>;
  /** As for the model. */
  readonly readsFiles: () => boolean;
  readonly clock: Clock;
}

const key = 'mcp-bridge';

/** In an open session. */
export function footerOf({ pi, runtime, context }: OpenBridge): () => void {
  return openFooter({ runtime, ui: context.ui, readsFiles: () => readsFiles(pi), clock: systemClock });
}

/** Puts it up and keeps it current, until what it gives back is called. */
export function openFooter({ runtime, ui, readsFiles, clock }: FooterOptions): () => void {
  let shown: string | undefined;
  let timer: Timer | undefined;
  let isOver = false;
  const show = (text: string | undefined): void => {
    if (text === shown || isOver) return;
    shown = text;
    try {
      ui.setStatus(key, text);
    } catch {
      // Pi has replaced the session: there is no footer of it any more.
    }
  };
  const look = async (): Promise<void> => {
    try {
      const { servers } = await runtime.status();
      const { tools, tokens, receipt } = await runtime.context({ readsFiles: readsFiles() });
      show(footerText({ servers, tools, tokens, budgetTokens: receipt.budgetTokens }));
    } catch {
      // The person was told of files that cannot be read: nothing is known of servers then.
      show(undefined);
    }
  };
  /** Many events in a row are one look. */
  const lookSoon = (): void => {
    const lookNow = (): void => {
      timer = undefined;
      void look();
    };
    timer ??= clock.after(limits.footerEveryMs, lookNow, { keepAlive: false });
  };
  const unsubscribe = runtime.subscribe((event) => {
    if (changesFooter(event)) lookSoon();
  });
  lookSoon();
  return () => {
    unsubscribe();
    timer?.cancel();
    show(undefined);
    isOver = true;
  };
}

function changesFooter({ kind }: RuntimeEvent): boolean {
  return kind !== 'call' && kind !== 'notice' && kind !== 'reconnecting';
}

export interface FooterFacts {
  readonly servers: readonly Pick<ServerStatus, 'known' | 'enabled' | 'entries'>[];
  readonly tools: number;
  readonly tokens: number;
  readonly budgetTokens: number;
}

/** Undefined where no server is known of. */
export function footerText({ servers, tools, tokens, budgetTokens }: FooterFacts): string | undefined {
  const usable = servers.filter(({ known, enabled }) => known === 'configured' && enabled);
  const connected = usable.filter(({ entries }) => entries.some(({ state }) => state === 'ready')).length;
  const waiting = servers.filter(({ known }) => known === 'waiting').length;
  if (usable.length === 0 && waiting === 0) return undefined;
  return [
    `mcp ${connected}/${usable.length}`,
    `${tools} ${tools === 1 ? 'tool' : 'tools'}`,
    `${thousands(tokens)}/${thousands(budgetTokens)} tok`,
    ...(waiting === 0 ? [] : [`${waiting} to approve`]),
  ].join(' · ');
}

function thousands(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(1).replace(/\.0$/, '')}k`;
}
