/** What mcp_list says, as JSON with one server or tool a line: it can be read on from a saved file line by line. */
import { type JsonObject, type JsonValue, limits, shorten } from '../../base/index.ts';
import type { ServersFile } from '../../config/index.ts';
import { jsonText } from '../../policy/index.ts';
import type { ToolList } from '../../runtime/index.ts';

/** `{servers: [{server, transport, enabled}]}`; broken entries have `problem` instead. */
export function serversOf({ servers, broken }: ServersFile): JsonObject {
  const usable = [...servers.values()].map(({ name, transport, enabled }) => ({
    server: name,
    transport: transport.kind,
    enabled,
  }));
  const unusable = [...broken].map(([name, { message }]) => ({
    server: shorten(name, limits.shownNameCharacters),
    problem: message,
  }));
  return { servers: [...usable, ...unusable] };
}

/** `{server, serverInfo, protocolVersion, tools: [{name, description, inputSchema}], problems?}`. */
export function toolsOf(server: string, { info, tools, problems }: ToolList): JsonObject {
  // Servers of the 2026-07-28 revision need not say who they are.
  const { name, version } = info.serverInfo ?? { name: server, version: undefined };
  return {
    server,
    serverInfo: { name, ...(version === undefined ? {} : { version }) },
    protocolVersion: info.protocolVersion,
    tools: tools.map(toolOf),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

function toolOf({ name, description, inputSchema }: JsonObject): JsonObject {
  return {
    name: name ?? '',
    ...(description === undefined ? {} : { description }),
    inputSchema: inputSchema ?? {},
  };
}

/** JSON text in which each item of a list of objects has a line of its own. */
export function listText(value: JsonObject): string {
  const members = Object.entries(value).map(([name, member]) => `${jsonText(name)}:${memberText(member)}`);
  return `{${members.join(',')}}`;
}

function memberText(member: JsonValue): string {
  if (!Array.isArray(member) || member.length === 0) return jsonText(member);
  return `[\n${member.map((item) => jsonText(item)).join(',\n')}\n]`;
}
