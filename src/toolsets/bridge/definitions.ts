/**
 * The names, descriptions and schemas of the three tools, as a model sees them. Constants: a host may cache them for ever, and a
 * prompt that holds them stays byte-identical. A test pins them.
 */
import type { ToolDefinition } from '../tool-object.ts';

const server = {
  type: 'string',
  minLength: 1,
  description: 'Name of the server, exactly as it is configured.',
} as const;

export const callMcpTool: ToolDefinition = {
  name: 'CallMcpTool',
  description: [
    'Calls one tool of an MCP server and returns its result.',
    "Read the tool's descriptor first, unless its schema is already in front of you: it says which arguments the tool takes. Descriptors are JSON files named tools/<tool>.json in the server's folder of the registry. Never guess arguments.",
    'A call is made at most once. When it fails, the answer says whether the server may have executed it; look before you repeat such a call.',
  ].join('\n'),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      server,
      toolName: {
        type: 'string',
        minLength: 1,
        description: 'Name of the tool, exactly as in its descriptor.',
      },
      arguments: {
        type: 'object',
        description:
          "Arguments for the tool, as its descriptor's inputSchema asks for them. Leave out when it takes none.",
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
    'Reads one resource of an MCP server: a file, a record, a page that the server offers under a URI.',
    'ListMcpResources names the URIs; a URI template from there must be filled in first.',
    'With downloadPath the contents are saved as a new file instead of being shown; use it for binary or large resources.',
  ].join('\n'),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      server,
      uri: { type: 'string', minLength: 1, description: 'URI of the resource, exactly as it was listed.' },
      downloadPath: {
        type: 'string',
        minLength: 1,
        description:
          'Where to save the contents: a path relative to the working folder, without "..", hidden folders or hidden files. The file must not exist yet.',
      },
    },
    required: ['server', 'uri'],
    additionalProperties: false,
  },
};

export const listMcpResources: ToolDefinition = {
  name: 'ListMcpResources',
  description:
    'Lists the resources and resource templates of an MCP server, one a line: URI, name, type and what it is. Read one with FetchMcpResource.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { server },
    required: ['server'],
    additionalProperties: false,
  },
};
