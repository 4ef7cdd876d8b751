/** What changed from one block to the next, for a host that tells its model and keeps the rest of its prompt. */
import { plural } from '../base/index.ts';
import { writableName } from '../policy/index.ts';
import type { Offers, ServerOffer } from './offer.ts';

/** Names told one by one; more are only counted. */
const mostNames = 6;

/** One line of servers that came or went, one of those that changed; a line only where there is something to tell. */
export function describeChange(before: Offers, after: Offers): readonly string[] {
  const old = new Map(before.servers.map((server) => [server.name, server]));
  const now = new Map(after.servers.map((server) => [server.name, server]));
  const added = [...now.keys()].filter((name) => !old.has(name)).sort();
  const removed = [...old.keys()].filter((name) => !now.has(name)).sort();
  const changed = [...now.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((server) => {
      const was = old.get(server.name);
      const told = was === undefined ? '' : toolChanges(was, server);
      return told === '' ? [] : [`${server.name}: ${told}`];
    });
  const lines = [
    [...named(serversOf('new', added), added), ...named(serversOf('gone', removed), removed)].join('; '),
    changed.length > mostNames
      ? `${changed.slice(0, mostNames).join('; ')}; ${plural(changed.length - mostNames, 'more server')} changed`
      : changed.join('; '),
  ].filter((line) => line !== '');
  return lines.length > 0 ? lines : ['how much of each server is shown'];
}

function toolChanges(was: ServerOffer, is: ServerOffer): string {
  const old = new Map(was.tools.map((tool) => [tool.name, tool]));
  const now = new Map(is.tools.map((tool) => [tool.name, tool]));
  const added = is.tools.filter(({ name }) => !old.has(name));
  const removed = was.tools.filter(({ name }) => !now.has(name));
  const altered = is.tools.filter((tool) => {
    const before = old.get(tool.name);
    return (
      before !== undefined &&
      (before.description !== tool.description || before.full?.schemaJson !== tool.full?.schemaJson)
    );
  });
  const parts = [
    ...named('new', added.map(writableName)),
    ...named('gone', removed.map(writableName)),
    ...named('changed', altered.map(writableName)),
  ];
  if (was.description !== is.description || was.instructions !== is.instructions) parts.push('what it says of itself');
  return parts.join(', ');
}

function serversOf(what: string, names: readonly string[]): string {
  return `${what} ${names.length === 1 ? 'server' : 'servers'}:`;
}

function named(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length - mostNames;
  return [`${what} ${names.slice(0, mostNames).join(' ')}${more > 0 ? ` +${more} more` : ''}`];
}
