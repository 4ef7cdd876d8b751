/**
 * A process that syncs made-up servers: argv: registry root, comma-separated server names, tools a server, a word that all
 * descriptions hold, and after how many files that it has put in their place it is killed. Says "writing" before the first sync.
 */
import { promises, renameSync } from 'node:fs';
import { openRegistry } from '../../src/registry/index.ts';
import { someCatalogue, someTool } from './catalogue.ts';

const [, , root = '', servers = '', count = '1', word = '', lastFile = 'none'] = process.argv;

let files = 0;
// One after another, so that it is killed between two of them.
promises.rename = async (from, to) => {
  renameSync(from, to);
  files += 1;
  if (files === Number(lastFile)) process.kill(process.pid, 'SIGKILL');
};

process.stdout.write('writing\n');
for (const server of servers.split(',')) {
  const tools = Array.from({ length: Number(count) }, (_, index) => someTool(`tool_${index}`, `${word} ${index}`));
  await openRegistry(root).apply(someCatalogue(server, { tools }), { nowMs: Date.now() });
}
