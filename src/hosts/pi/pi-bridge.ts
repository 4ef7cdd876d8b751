/** One session of Pi: its runtime from start to end, and the three tools over it. */
import {
  asTrestleError,
  delay,
  type Execution,
  limits,
  pasteable,
  systemClock,
  TrestleError,
} from '../../base/index.ts';
import type { ContextReport, HostPorts, Runtime } from '../../runtime/index.ts';
import { createBridge, type ToolObject } from '../../toolsets/index.ts';
import { readsFiles } from './active-tools.ts';
import type { Bridge, BridgeOptions, BridgeParts, OpenBridge, TurnBlock } from './bridge.ts';
import { createLooseClock } from './loose-clock.ts';
import { type News, newsIn } from './news.ts';
import type { Pi, PiCompletion, PiContext, PiTool, PiToolResult } from './pi.ts';
import { givenArguments } from './prepare-arguments.ts';
import { piProgram } from './program.ts';
import { createRefusals } from './refusals.ts';
import { openSession, type Session } from './session.ts';
import { tell } from './tell.ts';
import { executionOf, failedResult, toPiResult } from './tool-result.ts';
import { unreadText } from './unread-servers.ts';
import { showUpdates, type Updates } from './updates.ts';

/** What is there while a session is open. */
interface Opened extends Session {
  readonly tools: readonly ToolObject[];
}

const inPi = (text: string): string => pasteable(text, piProgram);

const over = (): TrestleError => new TrestleError({ code: 'cancelled', message: 'This session of Pi is over.' });

const noBlock: TurnBlock = { text: '', changes: [] };

function textOf(thrown: unknown): string {
  const { message, hint } = asTrestleError(thrown);
  return hint === undefined ? message : `${message}\n${inPi(hint)}`;
}

/** Opened once, by `session_start` or by the first that needs it; closed once. */
export class PiBridge implements Bridge {
  readonly #pi: Pi;
  readonly #options: BridgeOptions;
  readonly #parts: BridgeParts;
  readonly #clock = createLooseClock();
  /** Where dialogs and messages go. */
  #context: PiContext | undefined;
  #opening: Promise<Opened> | undefined;
  #closing: Promise<void> | undefined;
  readonly #over = new AbortController();
  #removeFooter: (() => void) | undefined;
  #news: News | undefined;
  readonly #refusals = createRefusals((title) =>
    this.#news?.notice(`Not asked again before you say something: ${title}`),
  );
  /** Whether the look at all servers is over, or never was. */
  #isReconciled = true;
  /** Servers that the model knows of, whatever came of it. */
  readonly #called = new Set<string>();
  /** What the model was told last. */
  #told: ContextReport | undefined;

  constructor(pi: Pi, options: BridgeOptions, parts: BridgeParts) {
    this.#pi = pi;
    this.#options = options;
    this.#parts = parts;
  }

  open(context: PiContext): void {
    this.#opened(context).catch((thrown: unknown) => this.#news?.trouble(textOf(thrown)));
  }

  heard(): void {
    this.#refusals.forget();
  }

  async execute(name: string, ...call: Parameters<PiTool['execute']>): Promise<PiToolResult> {
    const [, params, signal, onUpdate, context] = call;
    const startedMs = this.#clock.monotonicMs();
    let updates: Updates | undefined;
    // Of whatever fails from here on.
    let execution: Execution = 'not-sent';
    try {
      if (this.#closing !== undefined) throw over();
      const { runtime, scope, tools } = await this.#opened(context);
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new TrestleError({ code: 'internal', message: `There is no tool ${name}.` });
      const redact = (text: string): string => runtime.redact(text);
      updates = onUpdate === undefined ? undefined : showUpdates(onUpdate, { clock: this.#clock, redact });
      const { onProgress, onStep } = updates ?? {};
      execution = 'unknown';
      const output = await tool.execute(givenArguments(params), { signal, scope, onProgress, onStep });
      execution = executionOf(output);
      const durationMs = this.#clock.monotonicMs() - startedMs;
      return toPiResult(output, { forScripts: name === 'CallMcpTool', durationMs });
    } catch (thrown) {
      return failedResult(asTrestleError(thrown, { execution }), inPi);
    } finally {
      updates?.end();
    }
  }

  async block(context: PiContext): Promise<TurnBlock> {
    if (this.#closing !== undefined) return noBlock;
    try {
      // A model without the tools has no use for it.
      if (!this.#pi.getActiveTools().includes('CallMcpTool')) return noBlock;
      const { runtime } = await this.#opened(context);
      const report = await runtime.context({ readsFiles: readsFiles(this.#pi) });
      const changes = this.#told === undefined ? [] : report.changesSince(this.#told);
      this.#told = report;
      return { text: report.text, changes };
    } catch {
      // The person is told, and each call says it.
      return noBlock;
    } finally {
      this.#news?.tellUntold();
    }
  }

  async command(line: string, context: PiContext): Promise<void> {
    // It is theirs: what it needs a yes for is asked.
    this.heard();
    try {
      await this.#parts.command?.(line, await this.#openFor(context));
    } catch (thrown) {
      if (this.#closing === undefined) tell(context, textOf(thrown), 'error');
      // As of a command that ran and failed.
      if (this.#closing === undefined && !context.hasUI) process.exitCode ||= 1;
    }
  }

  async complete(prefix: string): Promise<PiCompletion[] | null> {
    // Pi gives completion no context of its own.
    if (this.#context === undefined || this.#closing !== undefined) return null;
    try {
      return (await this.#parts.complete?.(prefix, await this.#openFor(this.#context))) ?? null;
    } catch {
      return null;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #openFor(context: PiContext): Promise<OpenBridge> {
    const { runtime } = await this.#opened(context);
    return this.#openBridge(runtime, context);
  }

  #openBridge(runtime: Runtime, context: PiContext): OpenBridge {
    return { pi: this.#pi, runtime, context, program: this.#options.program, signal: this.#over.signal };
  }

  #opened(context: PiContext): Promise<Opened> {
    this.#context = context;
    this.#opening ??= this.#open(context);
    return this.#opening;
  }

  async #open(context: PiContext): Promise<Opened> {
    const { footer } = this.#parts;
    const news = (this.#news = newsIn(context, this.#clock));
    const session = await openSession(context, {
      program: this.#options.program,
      clock: this.#clock,
      ports: context.hasUI ? this.#ports(context) : {},
      onTrouble: news.trouble,
      onNote: news.notice,
    });
    const { runtime, settings } = session;
    runtime.subscribe((event) => {
      if (event.kind === 'notice') news.notice(event.text);
      if (event.kind === 'call') this.#called.add(event.server);
    });
    const isUsable = isConfigured(runtime, news) && settings !== undefined;
    if (footer !== undefined && context.hasUI && settings?.footer !== false) {
      void this.#showFooter(footer(this.#openBridge(runtime, context)));
    }
    if (isUsable) this.#reconcileLater(session);
    return { ...session, tools: createBridge(runtime, { downloadRoot: context.cwd, pasteable: inPi }) };
  }

  /** Of the person who sits before Pi. */
  #ports(first: PiContext): HostPorts {
    const { ask, person } = this.#parts;
    const now = (): PiContext => this.#context ?? first;
    return {
      ...(ask === undefined
        ? {}
        : {
            ask: (question, signal) => this.#refusals.askUnlessRefused(question, () => ask(question, signal, now())),
          }),
      ...(person === undefined
        ? {}
        : {
            person: {
              showPage: async (url) => (await person(now())).showPage(url),
              pasted: async (signal, page) => (await person(now())).pasted?.(signal, page) ?? '',
            },
          }),
    };
  }

  /** What comes of it is told by events. */
  #reconcileLater(session: Session): void {
    this.#isReconciled = false;
    const reconcile = async (): Promise<void> => {
      if (this.#closing !== undefined) return;
      await session.reconcile(this.#over.signal).catch(() => {});
      if (this.#closing === undefined) this.#isReconciled = true;
    };
    this.#clock.after(limits.hostReconcileMs, () => void reconcile(), { keepAlive: false });
  }

  /** A person is told by the turn that knows of them; what is written here is the last that a run without one says. */
  #tellUnread(runtime: Runtime): void {
    if (this.#context?.hasUI !== false) return;
    try {
      const text = unreadText(runtime, this.#called);
      if (text !== undefined) process.stderr.write(`${text}\n`);
    } catch {
      // What cannot be read was told.
    }
  }

  async #showFooter(showing: Promise<() => void>): Promise<void> {
    try {
      const remove = await showing;
      if (this.#closing === undefined) this.#removeFooter = remove;
      else remove();
    } catch {
      // It is an ornament.
    }
  }

  async #close(): Promise<void> {
    this.#over.abort(over());
    this.#removeFooter?.();
    this.#news?.close();
    const opened = await this.#opening?.catch(() => undefined);
    if (opened === undefined) return;
    if (this.#told !== undefined && !this.#isReconciled) this.#tellUnread(opened.runtime);
    // Elsewhere nobody would end what is left.
    const isWatched = process.platform !== 'win32';
    if (isWatched) this.#clock.letGo();
    const closed = new AbortController();
    const closing = opened.runtime
      .close()
      .catch(() => {})
      .finally(() => closed.abort());
    // Pi waits for this moment, and for nothing of ours after it.
    await (isWatched ? delay(systemClock, limits.hostCloseMs, closed.signal) : closing);
  }
}

/** Nothing works until what is wrong with the configuration is mended. */
function isConfigured(runtime: Runtime, news: News): boolean {
  try {
    runtime.config();
    return true;
  } catch (thrown) {
    news.trouble(asTrestleError(thrown).message);
    return false;
  }
}
