/** What the steps of a request share: one core a runtime. */
import type { Clock, Log, Scope, TrestleError } from '../base/index.ts';
import type { ConfigView, Settings } from '../config/index.ts';
import { cleanText, type GuardSettings, type Redactor } from '../policy/index.ts';
import type { Registry } from '../registry/index.ts';
import type { Connections } from './connections.ts';
import type { RuntimeEvent } from './events.ts';
import { mapText } from './map-text.ts';
import { type Failed, failedOutcome } from './outcome.ts';
import type { Places } from './runtime.ts';

export interface Core {
  readonly clock: Clock;
  /** Redacts what it is given. */
  readonly log: Log;
  readonly redactor: Redactor;
  readonly registry: Registry;
  readonly places: Places;
  readonly scope: Scope;
  readonly connections: Connections;
  /** First syncs under way, by server: concurrent first calls share one. */
  readonly firstSyncs: Map<string, Promise<unknown>>;
  /** Throws `config_unreadable`. */
  readonly config: () => ConfigView;
  /** Throws `config_unreadable`, `config_entry_invalid`. */
  readonly settings: () => Settings;
  /** The cut of what is shown, as settings and environment say. */
  readonly guard: () => GuardSettings;
  readonly tell: (event: RuntimeEvent) => void;
}

/**
 * The outcome an error stands for, fit to be shown anywhere: known secrets are replaced and what a server wrote into it (its
 * message, the end of its stderr) is cleaned.
 */
export function shownFailure(core: Pick<Core, 'redactor'>, error: TrestleError): Failed {
  const shown = (text: string): string => cleanText(core.redactor.redactOwn(text));
  return failedOutcome(
    error.with({
      message: shown(error.message),
      hint: error.hint === undefined ? undefined : shown(error.hint),
      details:
        error.details === undefined ? undefined : (mapText(error.details, shown) as Readonly<Record<string, unknown>>),
    }),
  );
}
