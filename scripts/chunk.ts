/** What build steps need to know of a bundled file. */

export interface Chunk {
  readonly type: 'chunk' | 'asset';
  readonly name?: string | undefined;
  readonly fileName: string;
  /** Of a chunk. */
  code?: string;
  /** Of an asset. */
  readonly source?: string | Uint8Array;
}

export type Bundle = Readonly<Record<string, Chunk>>;

/** The chunk of a group; the largest of this name, since others are modules that are called alike. */
export function groupChunk(bundle: Bundle, groupName: string): Chunk | undefined {
  return Object.values(bundle)
    .filter(({ type, name }) => type === 'chunk' && name === groupName)
    .sort((a, b) => (b.code?.length ?? 0) - (a.code?.length ?? 0))[0];
}
