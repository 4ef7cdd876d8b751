import type { ListedItem, LiveCatalogue, ToolDescriptor } from '../../src/registry/index.ts';

/** A tool with some description and one text parameter. */
export function someTool(name: string, description = `Does ${name}.`): ToolDescriptor {
  return { name, description, inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
}

export interface CatalogueParts {
  readonly tools?: readonly ToolDescriptor[] | undefined;
  readonly resources?: readonly ListedItem[] | undefined;
  readonly prompts?: readonly ListedItem[] | undefined;
  readonly instructions?: string;
}

/** What a connection to a small server would have told. */
export function someCatalogue(name: string, parts: CatalogueParts = {}): LiveCatalogue {
  return {
    meta: {
      name,
      description: `The server ${name}`,
      instructions: parts.instructions ?? 'Be kind.',
      transport: { kind: 'stdio', command: 'node', args: ['server.mjs'], env: { API_KEY: '${API_KEY}' } },
      auth: { kind: 'none' },
      lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
      capabilities: { tools: {} },
    },
    tools: 'tools' in parts ? parts.tools : [someTool('echo'), someTool('getSum')],
    resources: 'resources' in parts ? parts.resources : [{ uri: 'demo://one', name: 'one' }],
    resourceTemplates: [{ uriTemplate: 'demo://{id}', name: 'any' }],
    prompts: 'prompts' in parts ? parts.prompts : [{ name: 'greet' }],
  };
}
