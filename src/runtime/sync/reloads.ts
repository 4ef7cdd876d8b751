/** Reloads of one runtime: one at a time, and the one that a long-lived host makes at its start. */
import { asTrestleError, Ending, TrestleError } from '../../base/index.ts';
import type { ConfigView } from '../../config/index.ts';
import type { Asker } from '../asker.ts';
import { type Core, shownText } from '../core.ts';
import { strayNote, waitingNote } from '../servers/not-started-notes.ts';
import type { ReloadedServer, ReloadReport, ReloadRequest } from './reload-report.ts';

export interface ReloadsOptions {
  readonly core: Core;
  /** The configuration read from disk now. */
  readonly readConfig: (asker: Asker) => ConfigView;
  /** The configuration as it was last read; undefined before the first time. */
  readonly lastConfig: () => ConfigView | undefined;
  /** Whether what is due is synced, or only told. */
  readonly apply: boolean;
}

export interface Reloads {
  reload(request: ReloadRequest): Promise<ReloadReport>;
  /** A background reload, a moment later. */
  begin(): void;
  /** Ends what is under way; resolves when it is over. */
  close(): Promise<void>;
}

export function createReloads({ core, readConfig, lastConfig, apply }: ReloadsOptions): Reloads {
  const closed = new Ending();
  /** Ends those in the background. */
  let background = new Ending();
  let turn: Promise<unknown> = Promise.resolve();
  /** At the last reload: whoever looked since may have seen servers go. Those of another folder's project are not gone. */
  let last: { readonly folder: string | undefined; readonly names: readonly string[] } | undefined;

  const inTurn = (request: ReloadRequest, ends: readonly AbortSignal[]): Promise<ReloadReport> => {
    const asked = request.signal === undefined ? ends : [...ends, request.signal];
    const own = turn.then(async () => {
      const folder = request.caller?.cwd;
      const former = last?.folder === folder ? (last?.names ?? []) : [];
      const before = new Set([...former, ...namesOf(lastConfig())]);
      const now = readConfig(request);
      last = { folder, names: namesOf(now) };
      const { reloadServers } = await import('../requests.ts');
      return reloadServers(core, { ...request, signal: AbortSignal.any([...asked]) }, { before, now, apply });
    });
    turn = own.catch(() => {});
    return own;
  };
  const tell = (text: string, server?: string): void =>
    core.tell({ kind: 'notice', text: shownText(core, text), ...(server === undefined ? {} : { server }) });
  const inBackground = async (request: ReloadRequest): Promise<ReloadReport> => {
    const ends = [closed.signal, background.signal];
    try {
      const report = await inTurn(request, ends);
      for (const notice of report.notices) tell(notice);
      for (const server of report.servers) {
        const line = noticeOf(server);
        if (line !== undefined) tell(line, server.name);
      }
      return report;
    } catch (error) {
      if (!ends.some(({ aborted }) => aborted)) tell(asTrestleError(error).message);
      throw error;
    }
  };
  return {
    reload(request) {
      if (request.background === true) return inBackground(request);
      background.end(ended());
      background = new Ending();
      return inTurn(request, [closed.signal]);
    },
    begin() {
      const begun = background;
      // Whoever has just made the runtime may still subscribe.
      setImmediate(() => {
        // What came of it was told.
        if (!begun.ended && !closed.ended) inBackground({}).catch(() => {});
      });
    },
    async close() {
      closed.end(ended());
      await turn;
    },
  };
}

function namesOf(config: ConfigView | undefined): readonly string[] {
  return config === undefined ? [] : [...config.servers.keys(), ...config.waiting.keys(), ...config.broken.keys()];
}

/** What somebody should know who did not ask. */
function noticeOf(server: ReloadedServer): string | undefined {
  if (server.kind === 'failed') return `${server.name} was not brought up to its entry: ${server.failure.message}`;
  if (server.kind === 'registry-only') return server.approved ? undefined : strayNote(server.name);
  if (server.kind === 'waiting') return waitingNote(server.name, server.why);
  return server.kind === 'synced' && server.toolsFailure !== undefined ? server.toolsFailure.message : undefined;
}

function ended(): TrestleError {
  return new TrestleError({ code: 'cancelled', message: 'The reload was ended.' });
}
