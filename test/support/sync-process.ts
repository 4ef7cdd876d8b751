/**
 * A process that syncs made-up servers: argv: registry root, comma-separated server names, tools a server, a word that all
 * descriptions hold. Says "writing" before the first sync.
 */
import { openRegistry } from '../../src/registry/index.ts';
import { someCatalogue, someTool } from './catalogue.ts';

const [, , root = '', servers = '', count = '1', word = ''] = process.argv;

process.stdout.write('writing\n');
for (const server of servers.split(',')) {
  const tools = Array.from({ length: Number(count) }, (_, index) => someTool(`tool_${index}`, `${word} ${index}`));
  await openRegistry(root).apply(someCatalogue(server, { tools }), { nowMs: Date.now() });
}
