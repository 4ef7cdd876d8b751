/** What the steps of a request share: one core a runtime. */
import {
  type Clock,
  type JsonValue,
  limits,
  type Log,
  type Scope,
  shorten,
  stringifyJson,
  type TrestleError,
} from '../base/index.ts';
import type { ConfigView, Definition, Settings } from '../config/index.ts';
import { cleanText, type GuardSettings, type Redactor } from '../policy/index.ts';
import type { Registry } from '../registry/index.ts';
import type { Progress } from '../session/index.ts';
import type { Asker } from './asker.ts';
import type { Caller } from './caller.ts';
import type { Connections } from './connections/connections.ts';
import type { Approvals } from './consent/approvals.ts';
import type { Questions } from './consent/questions.ts';
import type { RuntimeEvent } from './events.ts';
import { mapText } from './map-text.ts';
import { type Failed, failedOutcome } from './outcome.ts';
import type { Places } from './places.ts';
import type { Descriptors } from './requests/descriptors.ts';
import type { SpillSweeps } from './spill-sweeps.ts';
import type { ListRefreshes } from './sync/list-refreshes.ts';

export interface Core {
  readonly clock: Clock;
  /** Redacts what it is given. */
  readonly log: Log;
  readonly redactor: Redactor;
  /** As it stands on disk. */
  readonly registry: Registry;
  /** Without the tools that are denied. */
  readonly visible: Registry;
  readonly descriptors: Descriptors;
  readonly places: Places;
  readonly scope: Scope;
  /** On whose behalf requests are made that name nobody. */
  readonly caller: Caller;
  readonly connections: Connections;
  readonly approvals: Approvals;
  readonly questions: Questions;
  /** What approvals of a server are bound to. */
  readonly identityOf: (definition: Definition, caller: Caller) => string;
  /** First syncs under way, by server: concurrent first calls share one. */
  readonly firstSyncs: Map<string, Promise<unknown>>;
  readonly refreshes: ListRefreshes;
  readonly spillSweeps: SpillSweeps;
  /**
   * The configuration as a caller has it, of which the last look at its files may be `lookedWithinMs` old, default 0. Throws
   * `config_unreadable`.
   */
  readonly config: (asker?: Asker, lookedWithinMs?: number) => ConfigView;
  /** The settings, of which the last look at their file may be `lookedWithinMs` old. Throws `config_unreadable`, `config_entry_invalid`. */
  readonly settings: (lookedWithinMs?: number) => Settings;
  /** The cut of what is shown to a caller, as settings and their environment say. */
  readonly guard: (caller: Caller) => GuardSettings;
  readonly tell: (event: RuntimeEvent) => void;
}

/** Text fit to be shown anywhere: known secrets are replaced, and what a server wrote into it is cleaned. */
export function shownText(core: Pick<Core, 'redactor'>, text: string): string {
  return cleanText(core.redactor.redactOwn(text));
}

/** A listener for progress that hears texts fit to be shown. */
export function shownProgress(
  core: Pick<Core, 'redactor'>,
  listener: ProgressListener | undefined,
): ProgressListener | undefined {
  if (listener === undefined) return undefined;
  return (progress) =>
    listener(progress.message === undefined ? progress : { ...progress, message: shownText(core, progress.message) });
}

type ProgressListener = (progress: Progress) => void;

/**
 * What a server says of itself, known secrets replaced: it was given them and may name them. Unchanged, at any depth, where there
 * are none.
 */
export function withoutSecrets<T extends JsonValue | object>(core: Pick<Core, 'redactor'>, said: T): T {
  const redact = (text: string): string => core.redactor.redact(text);
  if (!core.redactor.armed) return said;
  const written = stringifyJson(said);
  return redact(written) === written ? said : (mapText(said, redact) as T);
}

/** The outcome an error stands for, its texts fit to be shown: they may hold a server's own words, and the end of its stderr. */
export function shownFailure(core: Pick<Core, 'redactor'>, error: TrestleError): Failed {
  const shown = (text: string): string => shownText(core, text);
  return failedOutcome(
    error.with({
      message: shorten(shown(error.message), limits.descriptionCharacters),
      hint: error.hint === undefined ? undefined : shorten(shown(error.hint), limits.descriptionCharacters),
      details:
        error.details === undefined ? undefined : (mapText(error.details, shown) as Readonly<Record<string, unknown>>),
    }),
  );
}
