/**
 * The daemon's life: serving until nobody needs it, its home is gone, or it is told to end; then draining; then nothing of it is
 * left.
 */
import {
  type Clock,
  limits,
  type Log,
  ownIdentity,
  systemClock,
  type Timer,
  touchSync,
  version as packageVersion,
} from '../base/index.ts';
import { createRuntime, type Runtime } from '../runtime/index.ts';
import { Callers } from './callers.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { listen, type Listening } from './listen.ts';
import { openDaemonLog } from './log.ts';
import { newToken } from './proof.ts';
import { type AboutDaemon, type HomeOfClient, protocolNumber } from './protocol.ts';
import { type ProgramStamp, programStamp, recordFile } from './record.ts';
import { Runtimes } from './runtimes.ts';
import { ServedConnection } from './served-connection.ts';

export class Daemon {
  readonly log: Log;
  readonly #options: DaemonOptions;
  readonly #clock: Clock;
  readonly #token = newToken();
  readonly #startedMs: number;
  readonly #version: string;
  readonly #program: ProgramStamp;
  readonly #connections = new Set<ServedConnection>();
  readonly #runtimes = new Runtimes((home) => this.#openRuntime(home));
  readonly #callers = new Callers();
  readonly #ended = Promise.withResolvers<void>();
  #state: 'starting' | 'serving' | 'draining' | 'ended' = 'starting';
  #listening: Listening | undefined;
  #idle: Timer | undefined;
  #looking: Timer | undefined;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#startedMs = this.#clock.now();
    this.#version = options.version ?? packageVersion;
    this.#program = programStamp(options.program);
    this.log = openDaemonLog(options.runFolder, this.#clock);
  }

  async run(): Promise<boolean> {
    const { runFolder, platform, temporaryFolder, signal } = this.#options;
    this.#listening = await listen({
      runFolder,
      platform,
      temporaryFolder,
      clock: this.#clock,
      record: {
        protocol: protocolNumber,
        version: this.#version,
        token: this.#token,
        process: ownIdentity(),
        startedAt: new Date(this.#startedMs).toISOString(),
        program: this.#program,
      },
      onConnection: (socket) => this.#accept(socket),
    });
    if (this.#listening === undefined) return false;
    this.#state = 'serving';
    this.#options.onCrash?.((error) => this.log.warn(`crashed: ${this.#crashText(error)}`));
    this.log.info(`started, version ${this.#version}`);
    const told = (): void => this.#drain('it was told to');
    if (signal.aborted) told();
    else signal.addEventListener('abort', told, { once: true });
    this.#changed();
    this.#look();
    await this.#ended.promise;
    return true;
  }

  /** Whatever the error says may come from a server. */
  #crashText(error: unknown): string {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return this.#runtimes.all.reduce((left, runtime) => runtime.redact(left), text);
  }

  #accept(socket: ConstructorParameters<typeof ServedConnection>[0]): void {
    const connection = new ServedConnection(socket, {
      clock: this.#clock,
      token: this.#token,
      version: this.#version,
      runtimes: this.#runtimes,
      callers: this.#callers,
      isDraining: () => this.#state !== 'serving',
      isFull: () => this.#connections.size > limits.daemonConnections,
      about: () => this.#about(),
      drain: (why) => this.#drain(why),
      changed: () => this.#changed(),
    });
    this.#connections.add(connection);
  }

  #openRuntime({ places, userHome }: HomeOfClient): Runtime {
    const pass = (text: string, server: string | undefined): void => {
      for (const connection of this.#connections) connection.note(runtime, text, server);
    };
    const told =
      (level: 'info' | 'warn') =>
      (text: string, server?: string): void => {
        this.log[level](text, server);
        pass(server === undefined ? text : `${server}: ${text}`, server);
      };
    const runtime: Runtime = (this.#options.openRuntime ?? createRuntime)({
      places,
      // Requests bring their own callers; whoever is none has no environment here.
      cwd: this.#options.runFolder,
      env: {},
      userHome,
      platform: this.#options.platform,
      longLived: true,
      clock: this.#clock,
      log: {
        debug: (text, server) => this.log.debug(text, server),
        info: told('info'),
        warn: told('warn'),
      },
    });
    runtime.subscribe((event) => {
      for (const connection of this.#connections) connection.tell(runtime, event);
      if (event.kind === 'session') {
        this.log.info(`${event.state}${event.reason === undefined ? '' : `: ${event.reason}`}`, event.server);
      }
    });
    return runtime;
  }

  #about(): AboutDaemon {
    const clients = [...this.#connections].filter((connection) => connection.isClient);
    return {
      pid: process.pid,
      version: this.#version,
      protocol: protocolNumber,
      startedAt: new Date(this.#startedMs).toISOString(),
      uptimeMs: this.#clock.now() - this.#startedMs,
      clients: clients.length,
      requests: this.#requests(),
    };
  }

  #requests(): number {
    return [...this.#connections].reduce((sum, connection) => sum + connection.requests, 0);
  }

  /** A client came or left, a request began or ended. */
  #changed(): void {
    for (const connection of this.#connections) if (connection.isOver) this.#connections.delete(connection);
    const isBusy = this.#requests() > 0;
    // What nobody waits for is done by the next daemon, or later.
    const isAwaited = [...this.#connections].some((connection) => connection.isAwaited);
    if (this.#state === 'draining' && !isAwaited) void this.#end();
    const isUsed = isBusy || [...this.#connections].some((connection) => connection.isClient);
    if (isUsed || this.#state !== 'serving') {
      this.#idle?.cancel();
      this.#idle = undefined;
    } else {
      this.#idle ??= this.#clock.after(limits.daemonIdleMs, () => this.#idleOver());
    }
  }

  #idleOver(): void {
    this.#idle = undefined;
    // A server that is kept alive is what somebody wants to find; whether it still is comes to light the next time.
    if (this.#runtimes.all.some((runtime) => runtime.holdsKept())) this.#changed();
    else this.#drain('nobody has needed it for a while');
  }

  /** Whatever may have happened to its files meanwhile. */
  #look(): void {
    this.#looking = this.#clock.after(limits.daemonLookMs, () => {
      const { runFolder } = this.#options;
      if (this.#listening?.isOurs() !== true) this.#drain('its record was removed or replaced');
      else if (programStamp(this.#program.path).modifiedMs !== this.#program.modifiedMs) {
        this.#drain('its program was replaced');
      } else {
        touchSync(recordFile(runFolder));
        this.#look();
      }
    });
  }

  #drain(why: string): void {
    if (this.#state !== 'serving') return;
    this.#state = 'draining';
    this.log.info(`ends: ${why}`);
    void this.#listening?.release();
    this.#clock.after(limits.daemonDrainMs, () => void this.#end(), { keepAlive: false });
    this.#changed();
  }

  async #end(): Promise<void> {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#looking?.cancel();
    this.#idle?.cancel();
    await this.#listening?.release();
    // What still runs ends by this, and each client gets the outcome before its connection ends.
    await this.#runtimes.close();
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    this.log.info('ended');
    this.#ended.resolve();
  }
}
