/** The names, descriptions and schemas of the three tools, as a model sees them. Constants; a test pins them. */
import { limits } from '../../base/index.ts';
import type { ToolDefinition } from '../tool-object.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** How a model names a server. */
const target = {
  configPath: {
    type: 'string',
    minLength: 1,
    description: 'File with "mcpServers", relative to the working folder. Give it or url, not both.',
  },
  server: { type: 'string', minLength: 1, description: 'Name of a server in the file.' },
  url: { type: 'string', minLength: 1, description: 'URL of a server that the user has configured.' },
} as const;

const timeoutSeconds = {
  type: 'integer',
  minimum: limits.toolTimeoutSeconds.least,
  maximum: limits.toolTimeoutSeconds.most,
  description: 'Longest time without a sign of progress. Default 60, or what the server is configured with.',
} as const;

export const mcpList: ToolDefinition = {
  name: 'mcp_list',
  description: [
    'Lists MCP servers or tools. With configPath alone: the servers of that file; none is started.',
    'With server, or with url: who the server is, and its tools with their input schemas.',
    'action "close" ends the connection to that server.',
  ].join('\n'),
  inputSchema: {
    $schema: dialect,
    type: 'object',
    properties: {
      ...target,
      action: { type: 'string', enum: ['list', 'close'], description: 'Default "list".' },
      timeoutSeconds,
    },
    required: [],
    additionalProperties: false,
  },
};

export const mcpCall: ToolDefinition = {
  name: 'mcp_call',
  description: [
    'Calls one tool of an MCP server, named by configPath and server, or by url. mcp_list shows its tools.',
    'The name and the arguments are checked against the list of the server before the call. A call is made at most once. When it fails, the answer says whether the server may have executed it; look before you repeat such a call.',
  ].join('\n'),
  inputSchema: {
    $schema: dialect,
    type: 'object',
    properties: {
      tool: {
        type: 'string',
        minLength: 1,
        maxLength: limits.toolNameCharacters,
        description: 'Name of the tool, exactly as it is listed.',
      },
      arguments: {
        type: 'object',
        description: 'Arguments for the tool, as its inputSchema asks for them. Leave out when it takes none.',
        additionalProperties: true,
      },
      ...target,
      timeoutSeconds,
    },
    required: ['tool'],
    additionalProperties: false,
  },
};

export const mcpRequest: ToolDefinition = {
  name: 'mcp_request',
  description: [
    'Sends one raw JSON-RPC request to an MCP server over HTTP and returns the response object, whether it holds a result or an error.',
    'No session, no initialize: for looking into a server. Use mcp_call for its tools.',
  ].join('\n'),
  inputSchema: {
    $schema: dialect,
    type: 'object',
    properties: {
      url: target.url,
      method: {
        type: 'string',
        minLength: 1,
        maxLength: limits.toolNameCharacters,
        description: 'For example "tools/list".',
      },
      params: { type: 'object', description: 'Default {}.', additionalProperties: true },
      id: {
        anyOf: [{ type: 'string' }, { type: 'integer' }],
        description: 'Id of the request; the response must have the same. Default 1.',
      },
      timeoutSeconds,
    },
    required: ['url', 'method'],
    additionalProperties: false,
  },
};
