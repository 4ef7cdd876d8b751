/**
 * The names, descriptions and schemas of the three tools, as a model sees them. Constants: a host may cache them for ever, and a
 * prompt that holds them stays byte-identical. Short, since every request pays for them. A test pins them.
 */
import type { ToolDefinition } from '../tool-object.ts';

const server = { type: 'string', description: 'Name of the server, as configured.' } as const;

export const callMcpTool: ToolDefinition = {
  name: 'CallMcpTool',
  description: [
    'Calls one tool of an MCP server.',
    "Read the tool's descriptor first, unless its schema is in front of you: tools/<tool>.json in the server's folder of the registry. Never guess arguments.",
    'A call is made at most once; a failure says whether the server may have executed it. Look before you repeat such a call.',
  ].join('\n'),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      server,
      toolName: { type: 'string', description: 'Name of the tool, as in its descriptor.' },
      arguments: {
        type: 'object',
        description: "As the descriptor's inputSchema asks. Leave out when the tool takes none.",
        additionalProperties: true,
      },
    },
    required: ['server', 'toolName'],
    additionalProperties: false,
  },
};

export const fetchMcpResource: ToolDefinition = {
  name: 'FetchMcpResource',
  description: [
    'Reads one resource of an MCP server. ListMcpResources names the URIs; URI templates must be filled in.',
    'With downloadPath it is saved instead of shown: for binary or large resources.',
  ].join('\n'),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      server,
      uri: { type: 'string', description: 'As it was listed.' },
      downloadPath: {
        type: 'string',
        description: 'A new file, relative to the working folder; no "..", nothing hidden.',
      },
    },
    required: ['server', 'uri'],
    additionalProperties: false,
  },
};

export const listMcpResources: ToolDefinition = {
  name: 'ListMcpResources',
  description: 'Lists resources and URI templates of an MCP server, to be read with FetchMcpResource.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { server },
    required: ['server'],
    additionalProperties: false,
  },
};
