/** Checks every file of the registry against its published shape. */
import { TrestleError, withLock } from '../base/index.ts';
import { orFinding, type RegistryFinding, wholeFile } from './finding.ts';
import { repeatedNames } from './index-entry.ts';
import { type JsonFile, readJsonFile } from './json-file.ts';
import { lockPath, placeOf, scanRoot, type ServerPlace, toolPath } from './layout.ts';
import { pastOf } from './plan.ts';
import { readMeta } from './read-meta.ts';
import { schemaProblems } from './schema-problems.ts';
import { readStored, type StoredServer } from './stored.ts';
import { readSyncRecord } from './sync-record.ts';

/** All findings, by server; `rebuild` makes the index anew. */
export async function validateRegistry(root: string, rebuild: () => void): Promise<readonly RegistryFinding[]> {
  const check = (): readonly RegistryFinding[] => {
    const { servers, findings } = scanRoot(root);
    const all = [...findings, ...servers.flatMap((server) => readableFindings(placeOf(root, server)))];
    rebuild();
    return all;
  };
  if (scanRoot(root).servers.length === 0) return check();
  try {
    return await withLock(lockPath(root), () => Promise.resolve(check()));
  } catch (error) {
    // A registry that cannot be written cannot be locked, and nobody is writing to it.
    if (error instanceof TrestleError && error.code === 'file_error') return check();
    throw error;
  }
}

function readableFindings(place: ServerPlace): readonly RegistryFinding[] {
  return orFinding(
    { server: place.server, file: place.folder },
    () => serverFindings(place),
    (finding) => [finding],
  );
}

function serverFindings(place: ServerPlace): readonly RegistryFinding[] {
  const stored = readStored(place);
  const findings = [
    ...stored.findings,
    ...metaFindings(place, stored.meta),
    ...shapeFindings(place, { file: place.resources, shape: 'resources', read: stored.resources }),
    ...shapeFindings(place, { file: place.prompts, shape: 'prompts', read: stored.prompts }),
    ...stored.tools.flatMap(({ key }) => {
      const file = toolPath(place, key);
      return shapeFindings(place, { file, shape: 'tool', read: readJsonFile(file) });
    }),
    ...repeatedNames(place, stored.tools),
  ];
  return findings.length > 0 ? findings : digestFindings(place, stored);
}

function metaFindings(place: ServerPlace, read: JsonFile): readonly RegistryFinding[] {
  const { server, meta: file } = place;
  if (read.state === 'missing') return [wholeFile(server, file, 'is missing: the server was never synced to the end')];
  const shape = shapeFindings(place, { file, shape: 'meta', read });
  if (read.state !== 'read' || shape.some(({ field }) => field === '/name')) return shape;
  const name = readMeta(read.value, server).problems.filter(({ field }) => field === '/name');
  return [...shape, ...name.map((problem) => ({ ...wholeFile(server, file, ''), ...problem }))];
}

interface ShapeCheck {
  readonly file: string;
  readonly shape: Parameters<typeof schemaProblems>[0];
  readonly read: JsonFile;
}

function shapeFindings({ server }: ServerPlace, { file, shape, read }: ShapeCheck): readonly RegistryFinding[] {
  if (read.state !== 'read') return [];
  return schemaProblems(shape, read.value).map((problem) => ({ ...wholeFile(server, file, ''), ...problem }));
}

/** A digest that does not fit: an interrupted sync is an error, a person's edits are only worth a word. */
function digestFindings(place: ServerPlace, stored: StoredServer): readonly RegistryFinding[] {
  if (stored.meta.state !== 'read' || typeof stored.meta.value['digest'] !== 'string') return [];
  const { intact, interrupted } = pastOf(stored, readSyncRecord(readJsonFile(place.record)));
  if (intact) return [];
  const { server, meta: file } = place;
  if (interrupted)
    return [
      { ...wholeFile(server, file, 'is older than the files beside it: a sync was interrupted'), field: '/digest' },
    ];
  const edited = 'does not fit the files: some were edited since the last sync';
  return [{ ...wholeFile(server, file, edited), field: '/digest', severity: 'note' }];
}
