/** Reads a paged list to its end, within bounds. */
import { type JsonObject, type JsonValue, limits, plural, shorten, TrestleError } from '../../base/index.ts';
import { brokenReply, rpcCodeOf } from '../reply.ts';
import type { Listing } from '../session.ts';
import { kindOf, type ListKind, sortOut } from './list-kinds.ts';

const methodNotFound = -32601;

export interface ListSource {
  readonly server: string;
  /** Sends one request and resolves with its result. */
  readonly request: (method: string, params: JsonObject) => Promise<JsonObject>;
  /** Why an item that can be read may not be used all the same, one clause; undefined for one that may. */
  readonly ruledOut?: ((item: JsonObject) => string | undefined) | undefined;
}

/**
 * The whole list. A server that declared it and does not know its method has an empty one. Rejects with `list_too_long`,
 * `list_cursor_repeated`, or whatever a page failed with.
 */
export async function readList(kind: ListKind, source: ListSource): Promise<Listing> {
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; page <= limits.listPages; page += 1) {
    const result = await askPage(kind, source, cursor);
    if (result === undefined) return { items: [], problems: [] };
    items.push(...pageItems(kind, source.server, result));
    if (items.length > limits.listItems) throw tooLong(kind, source.server, plural(limits.listItems, 'item'));
    cursor = nextCursor(kind, source.server, result);
    if (cursor === undefined) return sortOut(kind, items, source.ruledOut);
    if (seen.has(cursor)) throw cursorRepeated(kind, source.server, cursor);
    seen.add(cursor);
  }
  throw tooLong(kind, source.server, plural(limits.listPages, 'page'));
}

/** Nobody else can make a list smaller. */
const unpaged = 'ask it for less, if it has a setting for that, or its makers to list them in pages.';

function isTooLarge(error: unknown): error is TrestleError {
  return error instanceof TrestleError && error.code === 'message_too_large';
}

/** Undefined when the server does not know the method. */
async function askPage(kind: ListKind, source: ListSource, cursor?: string): Promise<JsonObject | undefined> {
  try {
    return await source.request(kind.method, cursor === undefined ? {} : { cursor });
  } catch (error) {
    const unknown = cursor === undefined && error instanceof TrestleError && rpcCodeOf(error) === methodNotFound;
    if (unknown) return undefined;
    throw isTooLarge(error) ? error.with({ hint: `It lists too many ${kind.noun}s in one answer; ${unpaged}` }) : error;
  }
}

function pageItems(kind: ListKind, server: string, result: JsonObject): readonly JsonValue[] {
  const items = result[kind.member];
  if (Array.isArray(items)) return items as readonly JsonValue[];
  throw brokenReply({ server, method: kind.method }, `has no list "${kind.member}" (it is ${kindOf(items)})`);
}

/** Null and absent end a list; an empty text is a cursor like any other (2025-11-25, server/utilities/pagination). */
function nextCursor(kind: ListKind, server: string, result: JsonObject): string | undefined {
  const cursor = result['nextCursor'];
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor === 'string') return cursor;
  throw brokenReply({ server, method: kind.method }, `has a nextCursor that is ${kindOf(cursor)}`);
}

function tooLong(kind: ListKind, server: string, limit: string): TrestleError {
  return new TrestleError({
    code: 'list_too_long',
    message: `Server "${server}" has more than ${limit} of ${kind.noun}s; the list was given up.`,
    hint: 'Ask the server for less, if it has a setting for that.',
    server,
    execution: 'done',
  });
}

function cursorRepeated(kind: ListKind, server: string, cursor: string): TrestleError {
  return new TrestleError({
    code: 'list_cursor_repeated',
    message: `Server "${server}" gave the same cursor twice while listing its ${kind.noun}s ("${shorten(cursor, 80)}"), so the list would never end.`,
    hint: 'The server is broken; report it to its makers.',
    server,
    execution: 'done',
  });
}
