/**
 * The event dialect (H10), read leniently: there is no specification of it, so that the data of its events come in more than
 * one shape. Pure: an event's data in, a part of a JSON-RPC message out.
 *
 * GET gives the events `endpoint` (the session's id), `tools` (a later one replaces the list), `result` and `error`; a call is a POST of
 * `{session_id, tool, args}` to the same address. Nothing says to which call a result belongs.
 */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  nestsDeeper,
  parseJson,
  stringifyJson,
} from '../../base/index.ts';

/** An id in the type in which the server gave it. */
export type DialectSessionId = string | number | bigint;

/**
 * The session's id in the data of an `endpoint` event: plain text, a JSON string, a member of an object, or a parameter of a
 * URL (resolved from `base`), as in HTTP+SSE. Undefined when there is none.
 */
export function readDialectSession(data: string, base: string): DialectSessionId | undefined {
  const value = parsed(data);
  const id = isObject(value) ? sessionOf(value) : typeof value === 'string' ? value : data.trim();
  if (typeof id !== 'string') return id;
  const parameters = /[/?]/.test(id) ? URL.parse(id, base)?.searchParams : undefined;
  const named = sessionNames
    .map((name) => parameters?.get(name))
    .find((parameter) => parameter !== undefined && parameter !== null);
  const text = named ?? id;
  return text === '' ? undefined : text;
}

const sessionNames = ['session_id', 'sessionId', 'session', 'id'] as const;

function sessionOf(value: JsonObject): DialectSessionId | undefined {
  return sessionNames.map((name) => value[name]).find(isSessionId);
}

function isSessionId(value: JsonValue | undefined): value is DialectSessionId {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** Whether the data of an event name the session of somebody else: servers may tell everything to everybody. */
export function namesOtherSession(data: string, ours: DialectSessionId | undefined): boolean {
  if (!/"session_?id"/i.test(data)) return false;
  const value = parsed(data);
  const named = isObject(value) ? (value['session_id'] ?? value['sessionId']) : undefined;
  return isSessionId(named) && String(named) !== String(ours);
}

/**
 * The list in the data of a `tools` event, as `tools/list` would give it: a list of tools or names, alone or under `tools`, or an
 * object of tools by name. Undefined when it is nothing of that.
 */
export function readDialectTools(data: string): readonly JsonValue[] | undefined {
  const value = parsed(data);
  const tools = isObject(value) && Object.hasOwn(value, 'tools') ? value['tools'] : value;
  if (Array.isArray(tools)) return (tools as readonly JsonValue[]).map(readTool);
  if (!isObject(tools)) return undefined;
  const named = Object.entries(tools).map(([name, tool]) => (isObject(tool) ? { name, ...tool } : undefined));
  return named.some((tool) => tool === undefined) ? undefined : named.map((tool) => readTool(tool ?? null));
}

/** Where tools have their input schema. */
const schemaNames = ['inputSchema', 'input_schema', 'parameters', 'schema'] as const;

function readTool(tool: JsonValue): JsonValue {
  if (typeof tool === 'string') return { name: tool, inputSchema: { type: 'object' } };
  if (!isObject(tool)) return tool;
  const { input_schema: _snake, parameters: _parameters, schema: _schema, ...rest } = tool;
  const inputSchema = schemaNames.map((name) => tool[name]).find(isObject) ?? { type: 'object' };
  return { ...rest, inputSchema };
}

/** What answers a call. */
export type DialectAnswer =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue } };

/** What the server would answer to what the dialect does not have; `tools` are the data of its last `tools` event. */
export function answerInstead(method: string, tools = '[]'): DialectAnswer {
  switch (method) {
    case 'initialize':
      // The oldest revision promises least.
      return { result: { protocolVersion: '2024-11-05', capabilities: { tools: { listChanged: true } } } };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: readDialectTools(tools) ?? [] } };
    default:
      return { error: { code: -32_601, message: `The event dialect has no ${method}` } };
  }
}

/** Members of an object around a result; it is one if it has no others. */
const envelopeNames: ReadonlySet<string> = new Set([
  'session_id',
  'sessionId',
  'tool',
  'args',
  'jsonrpc',
  'id',
  'result',
]);

/** The answer in the data of a `result` event: a result of MCP as it is, anything else as text and structured content. */
export function readDialectResult(data: string): DialectAnswer {
  const whole = parsed(data);
  const isEnvelope =
    isObject(whole) && Object.hasOwn(whole, 'result') && Object.keys(whole).every((name) => envelopeNames.has(name));
  const value = isEnvelope ? (whole['result'] ?? null) : whole;
  if (value === undefined) return { result: { content: [textBlock(data)] } };
  if (isMcpResult(value)) return { result: value };
  return typeof value === 'string'
    ? { result: { content: [textBlock(value)] } }
    : { result: { content: [textBlock(isEnvelope ? textOf(value, data) : data)], structuredContent: value } };
}

/**
 * The answer in the data of an `error` event. A JSON-RPC error with a code of the protocol is one; anything else is what the tool
 * said when it failed, and goes to the model.
 */
export function readDialectError(data: string): DialectAnswer {
  const whole = parsed(data);
  if (whole !== undefined && isMcpResult(whole)) return { result: { ...whole, isError: true } };
  const error = isObject(whole) && Object.hasOwn(whole, 'error') ? whole['error'] : whole;
  if (isObject(error) && isProtocolCode(error['code']) && typeof error['message'] === 'string') {
    const { code, message, data: more } = error;
    return { error: { code, message, ...(more === undefined ? {} : { data: more }) } };
  }
  return { result: { content: [textBlock(errorText(error ?? whole) ?? data)], isError: true } };
}

function errorText(error: JsonValue | undefined): string | undefined {
  if (error === undefined || typeof error === 'string') return error;
  const said = isObject(error) ? ['message', 'detail', 'error'].map((name) => error[name]) : [];
  return said.find((text) => typeof text === 'string') ?? textOf(error, undefined);
}

/** A value as JSON, or `otherwise` where writing it would exhaust the stack. */
function textOf<Otherwise>(value: JsonValue, otherwise: Otherwise): string | Otherwise {
  return nestsDeeper(value, limits.storedLevels) ? otherwise : stringifyJson(value);
}

/** Codes that JSON-RPC reserves; others are the tool's own. */
function isProtocolCode(code: JsonValue | undefined): code is number {
  return typeof code === 'number' && Number.isInteger(code) && code >= -32_768 && code <= -32_000;
}

function isMcpResult(value: JsonValue): value is JsonObject {
  const content: unknown = isObject(value) ? value['content'] : undefined;
  return (
    Array.isArray(content) &&
    content.every((block) => isObject(block as JsonValue) && typeof (block as JsonObject)['type'] === 'string')
  );
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}

/**
 * Whether the data of the last event of a stream, whose closing blank line is missing, may have been cut: what is no JSON that ends
 * with its own sign may go on.
 */
export function mayBeCut(data: string): boolean {
  const value = parsed(data);
  return typeof value !== 'string' && (typeof value !== 'object' || value === null);
}

function parsed(data: string): JsonValue | undefined {
  try {
    return parseJson(data);
  } catch {
    return undefined;
  }
}
