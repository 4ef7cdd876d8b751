/** The line in Pi's footer: `mcp 2/5 · 41 tools · 1.2k/4k tok`. */
import { type Clock, limits, type Timer } from '../../base/index.ts';
import type { Runtime, RuntimeEvent, ServerStatus } from '../../runtime/index.ts';
import type { PiUi } from './pi.ts';

export interface Footer {
  /** What is under way stands there instead; no lines: nothing is. */
  readonly showProgress: (lines: readonly string[]) => void;
  /** Takes it away. */
  close(): void;
}

export interface FooterOptions {
  readonly runtime: Pick<Runtime, 'status' | 'context' | 'subscribe'>;
  readonly ui: Pick<PiUi, 'setStatus'>;
  /** Whether its person wants it; progress of what they ask for is shown in any case. */
  readonly isWanted: boolean;
  /** As for the model. */
  readonly readsFiles: () => boolean;
  readonly clock: Clock;
}

const key = 'mcp-bridge';

/** Puts it up, and keeps it current until it is closed. */
export function openFooter({ runtime, ui, isWanted, readsFiles, clock }: FooterOptions): Footer {
  let usual: string | undefined;
  let progress: string | undefined;
  let shown: string | undefined;
  let timer: Timer | undefined;
  let isOver = false;

  const show = (): void => {
    const text = progress ?? usual;
    if (text === shown || isOver) return;
    shown = text;
    ui.setStatus(key, text);
  };
  const look = async (): Promise<void> => {
    try {
      const { servers } = await runtime.status();
      const { tools, tokens, receipt } = await runtime.context({ readsFiles: readsFiles() });
      usual = footerText({ servers, tools, tokens, budgetTokens: receipt.budgetTokens });
    } catch {
      // The person was told of files that cannot be read: nothing is known of servers then.
      usual = undefined;
    }
    show();
  };
  /** Many events in a row are one look. */
  const lookSoon = (): void => {
    if (isOver) return;
    timer ??= clock.after(
      limits.footerEveryMs,
      () => {
        timer = undefined;
        void look();
      },
      { keepAlive: false },
    );
  };
  const unsubscribe = isWanted
    ? runtime.subscribe((event) => {
        if (changesFooter(event)) lookSoon();
      })
    : undefined;
  if (isWanted) lookSoon();
  return {
    showProgress(lines) {
      const [first, ...others] = lines;
      progress = first === undefined ? undefined : `mcp ${first}${others.length > 0 ? ` +${others.length} more` : ''}`;
      show();
    },
    close() {
      if (isOver) return;
      unsubscribe?.();
      timer?.cancel();
      if (shown !== undefined) ui.setStatus(key, undefined);
      isOver = true;
    },
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
