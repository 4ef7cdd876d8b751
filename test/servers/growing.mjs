// A server of revision 2026-07-28 over standard streams, on the reference library: its tool `grow` gives it another tool, `grown`, and
// the library tells whoever listens.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

function build() {
  const server = new McpServer({ name: 'growing', version: '1.0.0' });
  server.registerTool('grow', { description: 'Adds a tool.' }, async () => {
    server.registerTool('grown', { description: 'Was added.' }, async () => text('here'));
    return text('grown');
  });
  return server;
}

serveStdio(build, { legacy: 'reject' });
