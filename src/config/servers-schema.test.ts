import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serversSchema } from '../../scripts/servers-schema.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { loadConfig } from './load.ts';

function isLoaded(contents: object): boolean {
  const serversFile = join(tempFolder(), 'servers.json');
  writeFileSync(serversFile, JSON.stringify(contents));
  return loadConfig({ serversFile, settingsFile: '' }).broken.size === 0;
}

describe('the published schema', () => {
  it.each([
    { mcpServers: {} },
    { mcpServers: { a: { command: 'x', args: ['y'], env: { A: '${B}' }, cwd: '.', timeout: 5, unknown: 1 } } },
    { mcpServers: { a: { url: 'https://x', headers: { A: 'b' }, transport: 'sse', redirects: 'none', type: 'sse' } } },
    {
      mcpServers: {
        a: { command: 'x', lifecycle: 'keep-alive', sharing: 'shared', protocol: 'modern', tools: { deny: ['x'] } },
      },
    },
    {
      mcpServers: { a: { command: 'x', auth: false, transport: 'stdio' }, b: { command: 'x', auth: { type: 'none' } } },
    },
    { mcpServers: { a: { url: 'https://x', auth: false }, b: { url: 'https://x', auth: 'oauth' } } },
    { mcpServers: { a: { url: 'https://x', auth: { clientId: 'a', scopes: ['b'], redirectPort: 80, dpop: true } } } },
    { mcp: { a: { type: 'remote', url: 'https://x', oauth: { clientId: 'a', clientSecret: 'b', scope: 'c' } } } },
    { mcp: { a: { type: 'local', command: ['x'] }, b: { type: 'remote', url: 'https://x', oauth: false } } },
  ])('F3: takes what is taken: %j', (contents) => {
    expect([serversSchema.safeParse(contents).success, isLoaded(contents)]).toEqual([true, true]);
  });

  it.each([
    { mcpServers: { a: {} } },
    { mcpServers: { a: { command: '' } } },
    { mcpServers: { a: { command: 'x', args: 'y' } } },
    { mcpServers: { a: { command: 'x', env: { A: 1 } } } },
    { mcpServers: { a: { command: 'x', timeout: 0 } } },
    { mcpServers: { a: { url: 'https://x', transport: 'pigeon' } } },
    { mcpServers: { a: { command: 'x', lifecycle: 'never' } } },
    { mcpServers: { a: { url: 'https://x', auth: 5 } } },
    { mcpServers: { a: { command: 'x', auth: 'oauth' } } },
    { mcpServers: { a: { command: 'x', auth: { clientId: 'a' } } } },
    { mcpServers: { a: { url: 'https://x', auth: { type: 'magic' } } } },
    { mcpServers: { a: { url: 'https://x', auth: { redirectPort: 0 } } } },
    { mcp: { a: { type: 'remote', url: 'https://x', oauth: { clientId: 5 } } } },
    { mcp: { a: { command: ['x'] } } },
    { mcp: { a: { type: 'local', command: [] } } },
  ])('F3: refuses what is refused: %j', (contents) => {
    expect([serversSchema.safeParse(contents).success, isLoaded(contents)]).toEqual([false, false]);
  });
});
