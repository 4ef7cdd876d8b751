/**
 * The segments of a registry: in memory, else from the file `.search.json`, else made of the descriptors and kept in both. Derived
 * like index.json, and by the same stamps: a segment that is older than its server's entry there is made anew.
 */
import { readBytesSync, statSync, version, writeCacheSync } from '../../base/index.ts';
import { indexedTool, type IndexEntry } from '../index-entry.ts';
import { placeOf, searchPath } from '../layout.ts';
import { preferOwnKey, readTools } from '../stored.ts';
import { makeSegment, type Segment } from './segment.ts';
import { readSegment, segmentHead, segmentText } from './segment-text.ts';

/** First line of the file: another version may cut texts into other words. */
const opening = `{"trestle":"${version}","segments":1}`;

/** A segment as last seen; its line is read when it is needed. */
interface Kept {
  readonly stamp: string;
  readonly line: string;
  segment?: Segment | undefined;
}

export interface Segments {
  /** Those of `wanted`, in its order; `all` are the servers there are. */
  of(wanted: readonly IndexEntry[], all: readonly IndexEntry[]): readonly Segment[];
}

export function createSegments(root: string): Segments {
  const path = searchPath(root);
  let kept = new Map<string, Kept>();
  let fileStamp: string | undefined;

  /** Another process may have made what is missing here. */
  const load = (): void => {
    const stamp = stampOf(path);
    if (stamp === fileStamp) return;
    fileStamp = stamp;
    kept = new Map([...kept, ...readFile(path)]);
  };
  const current = (entry: IndexEntry): Segment | undefined => {
    const one = kept.get(entry.name);
    if (one?.stamp !== stampOfEntry(entry)) return undefined;
    return (one.segment ??= readSegment(one.line));
  };
  return {
    of(wanted, all) {
      let found = wanted.map(current);
      if (found.includes(undefined)) {
        load();
        found = wanted.map(current);
      }
      if (!found.includes(undefined)) return found.filter((segment) => segment !== undefined);
      const segments = wanted.map((entry, at) => found[at] ?? readServer(root, entry));
      for (const segment of segments) {
        const { server, stamp } = segment;
        if (kept.get(server)?.segment !== segment) kept.set(server, { stamp, line: segmentText(segment), segment });
      }
      const names = new Set(all.map(({ name }) => name));
      kept = new Map([...kept].filter(([server]) => names.has(server)));
      writeCacheSync(path, [opening, ...[...kept.values()].map(({ line }) => line), ''].join('\n'));
      fileStamp = stampOf(path);
      return segments;
    },
  };
}

const stampOfEntry = ({ stamp, filesStamp }: Pick<IndexEntry, 'stamp' | 'filesStamp'>): string =>
  `${stamp} ${filesStamp}`;

/** Files that cannot be read are left out here; whoever looks at the index hears of them. */
function readServer(root: string, entry: IndexEntry): Segment {
  const { tools } = readTools(placeOf(root, entry.name));
  const chosen = [...preferOwnKey(tools).values()].sort((a, b) => (a.descriptor.name < b.descriptor.name ? -1 : 1));
  return makeSegment({
    server: entry.name,
    stamp: stampOfEntry(entry),
    tools: chosen.map((tool) => ({ told: indexedTool(tool), descriptor: tool.descriptor })),
  });
}

/** A link in the place of the file is not followed. */
function readFile(path: string): ReadonlyMap<string, Kept> {
  if (statSync(path)?.kind !== 'file') return new Map();
  const [first, ...lines] = (readBytesSync(path)?.toString('utf8') ?? '').split('\n');
  if (first !== opening) return new Map();
  return new Map(
    lines.flatMap((line) => {
      const read = segmentHead(line);
      return read === undefined ? [] : [[read.server, { stamp: read.stamp, line }] as const];
    }),
  );
}

function stampOf(path: string): string {
  const stat = statSync(path);
  return stat === undefined ? '' : `${stat.modifiedMs} ${stat.sizeBytes} ${stat.inode}`;
}
