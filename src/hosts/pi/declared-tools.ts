/** The three tools as Pi is told of them; their words are those of every host. */
import type { JsonObject } from '../../base/index.ts';
import { callMcpTool, fetchMcpResource, listMcpResources, type ToolDefinition } from '../../toolsets/index.ts';
import type { PiTool } from './pi.ts';
import { preparedFor } from './prepare-arguments.ts';

type DeclaredTool = Omit<PiTool, 'execute' | 'renderCall' | 'renderResult'>;

/** What a script of Pi's code mode gets from a call, whatever the model would be shown of it. Pi tells the model its members' names. */
const callResult: JsonObject = {
  type: 'object',
  properties: { content: { type: 'array' }, structuredContent: {}, isError: { type: 'boolean' } },
  required: ['content'],
};

const readsOnly = { readOnlyHint: true, openWorldHint: true } as const;

export const declaredTools: readonly DeclaredTool[] = [
  {
    ...declare(callMcpTool, 'Call MCP tool'),
    outputSchema: callResult,
    annotations: { readOnlyHint: false, openWorldHint: true },
  },
  { ...declare(fetchMcpResource, 'Fetch MCP resource'), annotations: readsOnly },
  { ...declare(listMcpResources, 'List MCP resources'), annotations: readsOnly },
];

function declare(definition: ToolDefinition, label: string): DeclaredTool {
  const { name, description, inputSchema } = definition;
  const { properties, required } = inputSchema;
  // Without the draft, which is tokens alone, and open: what is too much shall come as far as our own refusal.
  const parameters = { type: 'object', properties, required } as JsonObject;
  return { name, label, description, parameters, prepareArguments: preparedFor(definition) };
}
