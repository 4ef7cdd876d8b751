/** mcp_request: one raw JSON-RPC request over HTTP. */
import { isObject, type JsonValue, parseJson } from '../../base/index.ts';
import { jsonText } from '../../policy/index.ts';
import { hasValue } from '../../runtime/index.ts';
import { type Members, unfit } from '../read-members.ts';
import type { ToolControl, ToolOutput } from '../tool-object.ts';
import { textOutput } from '../tool-output.ts';
import { mcpRequest } from './definitions.ts';
import { adapterFailure } from './failure.ts';
import { type AdapterContext, nameOf, readServer, serverOf, timeoutOf } from './read-target.ts';

export async function request(context: AdapterContext, members: Members, control: ToolControl): Promise<ToolOutput> {
  const { runtime } = context;
  const method = String(members['method']);
  const id = readId(members['id']);
  const params = readParams(members['params']);
  const target = await readServer(context, mcpRequest, members);
  const outcome = await runtime.post({
    server: serverOf(target),
    method,
    id,
    params,
    timeoutMs: timeoutOf(members),
    ...control,
  });
  if (!hasValue(outcome)) return adapterFailure(outcome);
  const server = nameOf(target);
  const { response, execution } = outcome.value;
  return textOutput(runtime, outcome, {
    text: jsonText(response),
    label: `${server} ${method}`,
    // An error response is one of a request that may not have been executed.
    details: { execution, server, method },
    member: 'response',
    raw: response,
    scope: control.scope,
  });
}

function readId(given: unknown): string | number {
  if (given === undefined || given === null) return 1;
  if (typeof given === 'string') return given;
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
  throw unfit(mcpRequest, `id must be a text or a whole number up to ${Number.MAX_SAFE_INTEGER}`);
}

/** An object or a list, as JSON-RPC has it; models also give its text. */
function readParams(given: unknown): JsonValue {
  if (given === undefined || given === null) return {};
  const params = typeof given === 'string' ? decode(given) : given;
  if (isObject(params)) return params;
  if (Array.isArray(params)) return params as readonly JsonValue[];
  throw unfit(mcpRequest, 'params must be an object');
}

function decode(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
