/**
 * The registry as one object over a folder: reads are answered from the index and the files asked for, writes go through
 * a plan and the lock.
 */
import { fileKey, TrestleError } from '../base/index.ts';
import type { ApplyOptions } from './apply.ts';
import { orFinding, type Read, type RegistryFinding, wholeFile } from './finding.ts';
import type { IndexedServer } from './index-entry.ts';
import { createIndex, type RegistryIndex } from './index-store.ts';
import { readJsonFile } from './json-file.ts';
import { folderProblem, placeOf, type ServerPlace, toolPath } from './layout.ts';
import type { SyncChanges } from './plan.ts';
import { readMeta, readSignIn } from './read-meta.ts';
import type { ListedItem, LiveCatalogue, LiveLists, ServerMeta, ToolDescriptor } from './records.ts';
import type { SearchPage, SearchRequest } from './search/search.ts';
import type { Segments } from './search/segments.ts';
import { fileFindings, itemsOf, preferOwnKey, readListsFile, readTool, readTools } from './stored.ts';

/** Resources and resource templates of a server. */
export interface ResourceItems {
  readonly resources: readonly ListedItem[];
  readonly resourceTemplates: readonly ListedItem[];
}

/**
 * Reads are synchronous: they serve the command line's start-up path and touch only the index and the files asked for. A
 * name that cannot name a server throws `invalid_name`.
 */
export interface Registry {
  readonly root: string;
  /** Every known server; the index is rebuilt when it is older than its sources. */
  servers(): Read<readonly IndexedServer[]>;
  /** One server; edits in place of its descriptors are seen too. */
  server(name: string): Read<IndexedServer | undefined>;
  meta(server: string): Read<ServerMeta | undefined>;
  /** What stands in `auth` of meta.json beside its kind, by name. Texts that may be secret: no sync writes any. */
  signIn(server: string): Read<Readonly<Record<string, string>>>;
  /** By exact name, else by this server's file key. */
  tool(server: string, nameOrKey: string): Read<ToolDescriptor | undefined>;
  /** All descriptors, by name. */
  tools(server: string): Read<readonly ToolDescriptor[]>;
  resources(server: string): Read<ResourceItems>;
  prompts(server: string): Read<readonly ListedItem[]>;
  /**
   * Tools that the words of a query mean, best first, as the index stands now. Reads descriptors only of servers that changed since
   * the last search. Rejects with `invalid_arguments` for an empty query, a limit out of range and a foreign cursor.
   */
  search(request: SearchRequest): Promise<Read<SearchPage>>;
  /** Absolute path of a server's folder, or of one of its tools. */
  path(server: string, toolKey?: string): string;
  /**
   * Applies diff(live, disk) under the registry's lock. Throws `registry_invalid` (manual without force; a link stands
   * where a folder should), `invalid_name`, `locked`, `cancelled`, `file_error`.
   */
  apply(live: LiveCatalogue, options: ApplyOptions): Promise<SyncChanges>;
  /**
   * As {@link Registry.apply} for lists that a synced server says have changed; what is as stored is not written. Undefined, and
   * nothing is done, when the server was never synced or was written by hand.
   */
  applyLists(
    lists: LiveLists & { readonly server: string },
    options: Omit<ApplyOptions, 'force'>,
  ): Promise<SyncChanges | undefined>;
  /** Removes a server's folder, following no link; false when there was none. */
  remove(server: string): Promise<boolean>;
  /** Checks every file and rebuilds the index. */
  validate(): Promise<readonly RegistryFinding[]>;
}

/** The registry in the folder `root`, which need not exist yet. */
export function openRegistry(root: string): Registry {
  const index = createIndex(root);
  let segments: Segments | undefined;
  const placed = <T>(server: string, empty: T, read: (place: ServerPlace) => Read<T>): Read<T> => {
    const place = placeOf(root, server);
    return orFinding<Read<T>>(
      { server, file: place.folder },
      () => {
        const findings = folderFindings(place);
        return findings.length > 0 ? { value: empty, findings } : read(place);
      },
      (finding) => ({ value: empty, findings: [finding] }),
    );
  };
  return {
    root,
    servers: () => index.all(),
    server: (name) => index.one(name),
    meta: (server) => placed<ServerMeta | undefined>(server, undefined, readServerMeta),
    signIn: (server) =>
      placed<Readonly<Record<string, string>>>(server, {}, ({ server: name, meta }) => {
        const file = readJsonFile(meta);
        return { value: file.state === 'read' ? readSignIn(file.value) : {}, findings: fileFindings(name, meta, file) };
      }),
    tool: (server, nameOrKey) =>
      placed<ToolDescriptor | undefined>(server, undefined, (place) => findTool(index, place, nameOrKey)),
    tools: (server) => placed<readonly ToolDescriptor[]>(server, [], readDescriptors),
    resources: (server) => placed<ResourceItems>(server, { resources: [], resourceTemplates: [] }, readResources),
    prompts: (server) => placed<readonly ListedItem[]>(server, [], readPrompts),
    path(server, toolKey) {
      const place = placeOf(root, server);
      return toolKey === undefined ? place.folder : toolPath(place, safeKey(toolKey));
    },
    async search(request) {
      const [{ searchPage }, { createSegments }] = await Promise.all([
        import('./search/search.ts'),
        import('./search/segments.ts'),
      ]);
      segments ??= createSegments(root);
      return searchPage(index.all(), segments, request);
    },
    // What writes is loaded when something is written: reading commands start without it.
    async apply(live, options) {
      const { applySync } = await import('./apply.ts');
      return applySync(root, live, { ...options, whenDone: (server) => index.rebuild(server) });
    },
    async applyLists(lists, options) {
      const { applyLists } = await import('./apply.ts');
      return applyLists(root, lists, { ...options, whenDone: (server) => index.rebuild(server) });
    },
    async remove(server) {
      const { removeServer } = await import('./apply.ts');
      const removed = await removeServer(root, server);
      if (removed) index.all();
      return removed;
    },
    async validate() {
      const { validateRegistry } = await import('./validate.ts');
      return validateRegistry(root, () => index.rebuild());
    },
  };
}

function folderFindings(place: ServerPlace): readonly RegistryFinding[] {
  return [place.folder, place.tools].flatMap((path) => {
    const problem = folderProblem(path);
    return problem === undefined ? [] : [wholeFile(place.server, path, problem)];
  });
}

function readServerMeta(place: ServerPlace): Read<ServerMeta | undefined> {
  const { server, meta: path } = place;
  const file = readJsonFile(path);
  if (file.state !== 'read') return { value: undefined, findings: fileFindings(server, path, file) };
  const { meta, problems } = readMeta(file.value, server);
  return { value: meta, findings: problems.map((problem) => ({ ...wholeFile(server, path, ''), ...problem })) };
}

/** The file of the name's own key is nearly always the one; only else the index is asked which file holds the name. */
function findTool(index: RegistryIndex, place: ServerPlace, nameOrKey: string): Read<ToolDescriptor | undefined> {
  const own = readTool(place, fileKey(nameOrKey));
  if (own.descriptor?.name === nameOrKey) return { value: own.descriptor, findings: own.findings };
  const tools = index.one(place.server).value?.tools ?? [];
  const key = tools.find(({ name }) => name === nameOrKey)?.key ?? tools.find(({ key }) => key === nameOrKey)?.key;
  if (key === undefined) return { value: undefined, findings: own.findings };
  const { descriptor, findings } = readTool(place, key);
  return { value: descriptor, findings };
}

function readDescriptors(place: ServerPlace): Read<readonly ToolDescriptor[]> {
  const { tools, findings } = readTools(place);
  const value = [...preferOwnKey(tools).values()].map(({ descriptor }) => descriptor);
  return { value: value.sort((a, b) => (a.name < b.name ? -1 : 1)), findings };
}

function readResources(place: ServerPlace): Read<ResourceItems> {
  const file = readListsFile(place.resources, ['resources', 'resourceTemplates']);
  return {
    value: { resources: itemsOf(file, 'resources'), resourceTemplates: itemsOf(file, 'resourceTemplates') },
    findings: fileFindings(place.server, place.resources, file),
  };
}

function readPrompts(place: ServerPlace): Read<readonly ListedItem[]> {
  const file = readListsFile(place.prompts, ['prompts']);
  return { value: itemsOf(file, 'prompts'), findings: fileFindings(place.server, place.prompts, file) };
}

/** A key comes from the index or {@link fileKey}; anything that could be a path is refused. */
function safeKey(key: string): string {
  if (!/[/\\\0]/.test(key)) return key;
  throw new TrestleError({
    code: 'invalid_path',
    message: `${JSON.stringify(key)} is no tool's file key.`,
    hint: 'Use the key that the index names.',
  });
}
