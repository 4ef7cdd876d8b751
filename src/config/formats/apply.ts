/** Writes what was planned and chosen, into Trestle's own files only. */
import type { JsonObject } from '../../base/index.ts';
import { addEntry, type FileEdit, removeEntry } from '../edit.ts';
import { withoutSecrets } from './entry-secrets.ts';
import type { ConflictChoice, PlannedServer } from './plan.ts';

/** What a person said of one server. */
export interface ImportDecision {
  readonly server: PlannedServer;
  /** What becomes of a conflict. */
  readonly choice: ConflictChoice;
  /** Whether literal secrets are kept apart, and the entry only refers to them. */
  readonly moveSecrets: boolean;
}

export interface ImportedServer {
  readonly server: PlannedServer;
  /** As it is called now. */
  readonly name: string;
  readonly edit: FileEdit;
}

export interface ImportHelp {
  /** Keeps a secret under a name. */
  readonly keepSecret: (name: string, value: string) => Promise<void>;
  /** Where the JSON Schema of a new file is, for editors. */
  readonly schemaFor: (file: string) => Promise<string | undefined>;
}

/** Writes one server; undefined when there is nothing to do. Secrets are kept first, so that no entry refers to one that is not there. */
export async function applyImport(decision: ImportDecision, help: ImportHelp): Promise<ImportedServer | undefined> {
  const { server, choice } = decision;
  if (server.state === 'equal' || (server.state === 'conflict' && choice === 'keep')) return undefined;
  const isRenamed = server.state === 'conflict' && choice === 'rename';
  const name = isRenamed ? server.renamed : server.found.name;
  const entry = await entryOf(decision, name, help);
  const replace = server.state === 'conflict' && choice === 'replace';
  // A name that differs in case only is another member, which has to go.
  const { inTheWay = name, target } = server;
  if (replace && inTheWay !== name) await removeEntry(target, inTheWay);
  const schema = await help.schemaFor(target);
  return { server, name, edit: await addEntry(target, name, { entry, replace, schema }) };
}

async function entryOf(decision: ImportDecision, name: string, { keepSecret }: ImportHelp): Promise<JsonObject> {
  const { found } = decision.server;
  if (!decision.moveSecrets) return found.entry;
  const { entry, secrets } = withoutSecrets(name, found.entry, found.folder);
  for (const { secret, value } of secrets) await keepSecret(secret, value);
  return entry;
}
