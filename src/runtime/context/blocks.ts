/** The block about servers of one runtime: made when it is asked for, made again when the registry changed, and told of then. */
import { join } from 'node:path';
import { limits, stringifyJson } from '../../base/index.ts';
import {
  type BlockSettings,
  type ContextBlock,
  describeChange,
  estimateTokens,
  type Offers,
  renderBlock,
} from '../../context/index.ts';
import type { IndexedServer } from '../../registry/index.ts';
import { type Core, shownText } from '../core.ts';
import { type CallableFacts, callableFacts, callableServers } from '../servers/callable-servers.ts';
import { registeredServers } from '../servers/registered.ts';
import { choiceKey, openChoiceMemory } from './choice-memory.ts';
import type { ContextReport, ContextRequest } from './context-report.ts';
import { readOffers } from './offers.ts';
import { openTokenMemory } from './token-memory.ts';

export interface Blocks {
  /** Throws `config_unreadable`, `config_entry_invalid`. */
  block(request: ContextRequest): Promise<ContextReport>;
  /** About what it would cost if every descriptor of every server that can be called stood in the conversation. */
  inlinedTokens(): number;
  /** Makes those anew that were asked for before, and tells of those that differ. Never rejects. */
  refresh(): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

interface MadeFrom {
  readonly callable: CallableFacts;
  readonly settings: BlockSettings;
}

/** What was made of one request. */
interface Made {
  readonly request: ContextRequest;
  /** Undefined where it has to be made each time. */
  readonly from: MadeFrom | undefined;
  readonly registered: readonly IndexedServer[];
  readonly offers: Offers;
  readonly report: ContextReport;
}

export function openBlocks(core: Core): Blocks {
  const counts = openTokenMemory(join(core.places.stateFolder, 'token-counts.json'), core);
  const choices = openChoiceMemory(join(core.places.stateFolder, 'block-choices.json'), core);
  const made = new Map<string, Made>();
  const inlined = new WeakMap<IndexedServer, number>();
  let refreshing: Promise<void> = Promise.resolve();

  const settingsOf = ({ budgetTokens, readsFiles = true }: ContextRequest): BlockSettings => {
    const settings = core.settings(0);
    return {
      budgetTokens: budgetTokens ?? settings.contextBudgetTokens,
      schemaToolLimit: settings.schemaToolLimit,
      readsFiles,
    };
  };

  const block = async (request: ContextRequest): Promise<ContextReport> => {
    const key = keyOf(request);
    const { value: registered, findings } = core.visible.servers();
    const callable = callableFacts(core, request, registered);
    const settings = settingsOf(request);
    const before = made.get(key);
    if (before !== undefined && findings.length === 0 && isSame(before, { callable, settings, registered })) {
      return before.report;
    }
    const read = readOffers({
      registry: core.visible,
      callable,
      registered,
      schemaToolLimit: settings.schemaToolLimit,
    });
    const { offers } = read;
    const chosenFor = choiceKey(offers, settings);
    const chosen = choices.get(chosenFor);
    const rendered = await renderBlock(offers, settings, {
      count: (text) => counts.count(text),
      chosen,
    });
    if (rendered.choice !== chosen) choices.set(chosenFor, rendered.choice);
    const problems = [...findings, ...read.findings].map(({ file, field, problem }) =>
      shownText(core, `${file}${field === '' ? '' : ` ${field}`}: ${problem}`),
    );
    const report = reportOf(rendered, offers, problems);
    offersOf.set(report, offers);
    // Schemas are in files whose edits the index does not see, so a block with them is made each time.
    const from = offers.servers.some(({ tools }) => tools.some(({ full }) => full !== undefined))
      ? undefined
      : { callable, settings };
    made.delete(key);
    made.set(key, { request, from, registered, offers, report });
    for (const oldest of made.keys()) {
      if (made.size <= limits.keptBlocks) break;
      made.delete(oldest);
    }
    if (before !== undefined && before.report.text !== report.text) {
      core.tell({
        kind: 'context',
        hash: report.hash,
        tokens: report.tokens,
        budgetTokens: settings.budgetTokens,
        readsFiles: settings.readsFiles,
        scope: request.scope ?? core.scope,
        changes: describeChange(before.offers, offers),
      });
    }
    return report;
  };

  const refresh = async (): Promise<void> => {
    for (const { request } of Array.from(made.values())) {
      try {
        await block(request);
      } catch (error) {
        // Whoever asks next is told by an error; here nobody asked.
        core.log.debug(`the block was not made anew: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };

  return {
    block,
    inlinedTokens() {
      const callable = callableFacts(core, {});
      const names = new Set(callableServers(callable));
      const offered = [...registeredServers(core.visible.servers().value, callable.config)].filter(([name]) =>
        names.has(name),
      );
      return Math.round(offered.reduce((sum, [, server]) => sum + inlinedOf(server), 0));
    },
    refresh() {
      refreshing = refreshing.then(refresh);
      return refreshing;
    },
    async close() {
      await refreshing;
      await Promise.all([counts.close(), choices.close()]);
    },
  };

  function inlinedOf(server: IndexedServer): number {
    let tokens = inlined.get(server);
    if (tokens === undefined) {
      const { value } = core.visible.tools(server.name);
      tokens = value.reduce(
        (sum, { name, description, inputSchema }) =>
          sum + estimateTokens(stringifyJson({ name, description, inputSchema })),
        0,
      );
      inlined.set(server, tokens);
    }
    return tokens;
  }
}

/** What reports tell of, for as long as somebody has them. */
const offersOf = new WeakMap<ContextReport, Offers>();

function reportOf(rendered: ContextBlock, offers: Offers, problems: readonly string[]): ContextReport {
  const { text, hash, tokens } = rendered;
  const { servers } = offers;
  return {
    text,
    hash,
    tokens,
    // Not made before somebody asks for it.
    get receipt() {
      return rendered.receipt;
    },
    servers: servers.length,
    tools: servers.reduce((sum, { tools }) => sum + tools.length, 0),
    problems,
    changesSince: (before) => (before.text === text ? [] : describeChange(offersOf.get(before) ?? offers, offers)),
  };
}

/** A host may have models of different budgets, with and without files: each has its own block. */
function keyOf({ budgetTokens, readsFiles = true, caller, scope }: ContextRequest): string {
  return JSON.stringify([budgetTokens, readsFiles, caller?.cwd, scope]);
}

/** The index gives the same object for a server as long as its folder is unchanged. */
function isSame(before: Made, now: MadeFrom & { readonly registered: readonly IndexedServer[] }): boolean {
  const { from } = before;
  return (
    from !== undefined &&
    from.callable.config === now.callable.config &&
    isSameSet(from.callable.approved, now.callable.approved) &&
    stringifyJson(from.settings) === stringifyJson(now.settings) &&
    before.registered.length === now.registered.length &&
    before.registered.every((server, index) => server === now.registered[index])
  );
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}
