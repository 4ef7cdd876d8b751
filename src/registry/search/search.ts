/** One page of a search over the registry. */
import { limits, TrestleError } from '../../base/index.ts';
import type { Read } from '../finding.ts';
import type { IndexEntry } from '../index-entry.ts';
import { rank, type Ranking } from './rank.ts';
import type { Segment } from './segment.ts';
import type { Segments } from './segments.ts';

export interface SearchRequest {
  /** Words in any order; names are searched by their parts. Must have something other than white space. */
  readonly query: string;
  /** The servers that are searched; default all. */
  readonly servers?: readonly string[] | undefined;
  /** Tools on a page, 1 to limits.searchPageTools.most; default limits.searchPageTools.usual. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** Tools that are not to be found. */
  readonly isHidden?: ((server: string, tool: string) => boolean) | undefined;
}

/** One tool that was found. */
export interface SearchHit {
  readonly server: string;
  /** Exact name. */
  readonly tool: string;
  /** File name of its descriptor, without extension. */
  readonly key: string;
  readonly title?: string;
  /** Cut to limits.indexDescriptionCharacters; a server's own words. */
  readonly description: string;
}

export interface SearchPage {
  /** Best first; equal ones by name, then server. */
  readonly hits: readonly SearchHit[];
  /** Tools on all pages: those with at least one word of the query, or one that it may stand for. */
  readonly total: number;
  /** Cursor of the next page; absent on the last. */
  readonly next?: string;
}

/** Throws `invalid_arguments` for an empty query, a limit out of range and a cursor that no search gave. */
export function searchPage(
  { value: servers, findings }: Read<readonly IndexEntry[]>,
  segments: Segments,
  request: SearchRequest,
): Read<SearchPage> {
  const { query, limit, from } = checked(request);
  const wanted = request.servers === undefined ? undefined : new Set(request.servers);
  const searched = wanted === undefined ? servers : servers.filter(({ name }) => wanted.has(name));
  const { best, total } = ranked(query, segments.of(searched, servers), {
    most: from + limit,
    isHidden: request.isHidden,
  });
  const hits = best.slice(from).map(({ server, tool: { name, ...told } }): SearchHit => {
    return { server, tool: name, ...told };
  });
  const end = from + limit;
  const page = { hits, total, ...(end < total ? { next: String(end) } : {}) };
  const concerned = findings.filter(({ server }) => server === undefined || (wanted?.has(server) ?? true));
  return { value: page, findings: concerned };
}

/** What is hidden is neither among the best nor counted. */
function ranked(
  query: string,
  segments: readonly Segment[],
  { most, isHidden }: Pick<SearchRequest, 'isHidden'> & { readonly most: number },
): Ranking {
  if (isHidden === undefined) return rank(query, segments, most);
  const { best } = rank(query, segments, Number.POSITIVE_INFINITY);
  const shown = best.filter(({ server, tool }) => !isHidden(server, tool.name));
  return { best: shown.slice(0, most), total: shown.length };
}

interface Checked {
  readonly query: string;
  readonly limit: number;
  readonly from: number;
}

function checked({ query, limit = limits.searchPageTools.usual, cursor }: SearchRequest): Checked {
  const { most } = limits.searchPageTools;
  if (query.trim() === '') throw wrong('The query is empty.', 'Say in a few words what the tool should do.');
  if (!Number.isInteger(limit) || limit < 1 || limit > most) {
    throw wrong(`The limit must be a whole number from 1 to ${most}.`, 'Further tools are on the next page.');
  }
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
    throw wrong('No search gave this cursor.', 'Use the cursor that the page before gave.');
  }
  return { query, limit, from: Number(cursor ?? 0) };
}

function wrong(message: string, hint: string): TrestleError {
  return new TrestleError({ code: 'invalid_arguments', message, hint, execution: 'not-sent' });
}
