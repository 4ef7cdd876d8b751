/** A home of 10,000 tools made of real names and descriptions: for the figures that hold at that size, in the bench and as a gate. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileKey } from '../../src/base/index.ts';
import type { ToolDescriptor } from '../../src/registry/index.ts';
import { realServers } from './offers.ts';

export const serverNames: readonly string[] = Array.from({ length: 40 }, (_, index) => `server-${index}`);
const toolsEach = 250;

/** The tools of the server at `at`. */
export function toolsOfServer(at: number): readonly ToolDescriptor[] {
  const real = realServers().flatMap(({ tools }) => tools);
  return Array.from({ length: toolsEach }, (_, index) => {
    const like = real[(at * toolsEach + index) % real.length];
    const properties = { [`of_${like?.name}`]: { type: 'string', description: like?.description ?? '' } };
    return {
      name: `${like?.name}_${index}`,
      description: like?.description ?? '',
      inputSchema: { type: 'object', properties },
    };
  });
}

/** Configuration and registry files as a sync leaves them, without its flushes. None of the servers can be started. */
export function writeTenThousand(home: string): void {
  const entries = Object.fromEntries(serverNames.map((name) => [name, { command: 'none' }]));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: entries }));
  for (const [at, name] of serverNames.entries()) {
    const folder = join(home, 'registry', name);
    mkdirSync(join(folder, 'tools'), { recursive: true });
    const transport = { kind: 'stdio', command: 'none' };
    writeFileSync(join(folder, 'meta.json'), JSON.stringify({ name, description: `The server ${name}`, transport }));
    for (const tool of toolsOfServer(at)) {
      writeFileSync(join(folder, 'tools', `${fileKey(tool.name)}.json`), JSON.stringify(tool));
    }
  }
}
