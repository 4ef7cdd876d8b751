/**
 * A model that says what a test wrote beforehand: an HTTP server on the loopback address that speaks OpenAI's chat completions and
 * Anthropic's messages as streams of events, and keeps every request as it came.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolUse {
  readonly name: string;
  readonly arguments: unknown;
}

/** What the model answers one request with. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ToolUse[];
}

export type Scripted = Turn | ((request: ModelRequest) => Turn | Promise<Turn>);

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

export interface ToolAnswer {
  readonly text: string;
  /** Only Anthropic's format says it. */
  readonly isError: boolean | undefined;
}

/** A request, read the same way from either format. */
export interface ModelRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** All system messages, in their order. */
  readonly system: string;
  readonly tools: readonly ToolDeclaration[];
  /** Results of tools of the whole conversation. */
  readonly results: readonly ToolAnswer[];
  /** How many images came. */
  readonly images: number;
}

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** When the last answer was sent off, by performance.now(). */
  readonly answeredMs: () => number;
  /** Says these next, after what is left of the script. */
  say(...turns: readonly Scripted[]): void;
  close(): void;
}

/** Past the end of its script the model says that nothing is left, so that a run ends. */
export async function openModel(...script: readonly Scripted[]): Promise<ScriptedModel> {
  const left = [...script];
  const requests: ModelRequest[] = [];
  let answeredMs = NaN;
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const request = readRequest(JSON.parse(Buffer.concat(pieces).toString()) as Body);
    requests.push(request);
    const next = left.shift() ?? { text: 'The script is at its end.' };
    const turn = typeof next === 'function' ? await next(request) : next;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const stream = incoming.url?.includes('/messages') === true ? anthropicEvents : openaiEvents;
    for (const event of stream(turn, requests.length)) response.write(event);
    await ended(response);
    answeredMs = performance.now();
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answeredMs: () => answeredMs,
    say: (...turns) => void left.push(...turns),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A turn in which the model calls a tool of a server through the bridge. */
export function callTool(server: string, toolName: string, args?: unknown): Turn {
  const given = args === undefined ? {} : { arguments: args };
  return { calls: [{ name: 'CallMcpTool', arguments: { server, toolName, ...given } }] };
}

/** A turn that repeats what the tools of the conversation answered. */
export const repeatResults = ({ results }: ModelRequest): Turn => ({
  text: `FINAL ${results.map(({ text }) => text).join(' | ')}`,
});

function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.end();
  });
}

type Body = Readonly<Record<string, unknown>>;

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[] | null;
}

function readRequest(body: Body): ModelRequest {
  const messages = (body['messages'] ?? []) as readonly Message[];
  const leading = (body['system'] ?? []) as Message['content'];
  const ofSystem = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const blocks = messages.flatMap(({ content }) => blocksOf(content));
  const all = blocks.flatMap((block) => [block, ...blocksOf(block.content ?? null)]);
  return {
    body,
    system: [leading, ...ofSystem.map(({ content }) => content)].map(textOf).filter(Boolean).join('\n\n'),
    tools: ((body['tools'] ?? []) as readonly Body[]).map(readDeclaration),
    results: messages.flatMap(({ role, content }) =>
      role === 'tool'
        ? [{ text: textOf(content), isError: undefined }]
        : blocksOf(content)
            .filter(({ type }) => type === 'tool_result')
            .map((block) => ({ text: textOf(block.content ?? null), isError: block.is_error })),
    ),
    images: all.filter(({ type }) => type === 'image' || type === 'image_url').length,
  };
}

function readDeclaration(tool: Body): ToolDeclaration {
  const { name, description, parameters, input_schema } = (tool['function'] ?? tool) as Readonly<
    Record<string, unknown>
  >;
  return { name: String(name), description: String(description), parameters: parameters ?? input_schema };
}

function blocksOf(content: Message['content']): readonly Block[] {
  return typeof content === 'string' || content === null ? [] : content;
}

function textOf(content: Message['content']): string {
  return typeof content === 'string'
    ? content
    : blocksOf(content)
        .flatMap(({ text }) => text ?? [])
        .join('\n');
}

function* openaiEvents({ text, calls = [] }: Turn, at: number): Generator<string> {
  const chunk = (members: Body): string =>
    `data: ${JSON.stringify({ id: `answer-${at}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', ...members })}\n\n`;
  const delta = (value: Body, finish: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
  yield delta({ role: 'assistant', content: '' });
  if (text !== undefined) yield delta({ content: text });
  for (const [index, call] of calls.entries()) {
    const head = { index, id: `call_${at}_${index}`, type: 'function', function: { name: call.name, arguments: '' } };
    yield delta({ tool_calls: [head] });
    yield delta({ tool_calls: [{ index, function: { arguments: JSON.stringify(call.arguments) } }] });
  }
  yield delta({}, calls.length > 0 ? 'tool_calls' : 'stop');
  yield chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  yield 'data: [DONE]\n\n';
}

function* anthropicEvents({ text, calls = [] }: Turn, at: number): Generator<string> {
  const event = (type: string, members: Body = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
  const head = { id: `answer_${at}`, type: 'message', role: 'assistant', model: 'scripted', content: [] };
  const usage = { input_tokens: 10, output_tokens: 1 };
  yield event('message_start', { message: { ...head, stop_reason: null, stop_sequence: null, usage } });
  const blocks = [
    ...(text === undefined ? [] : [{ block: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }]),
    ...calls.map((call, index) => ({
      block: { type: 'tool_use', id: `call_${at}_${index}`, name: call.name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(call.arguments) },
    })),
  ];
  for (const [index, { block, delta }] of blocks.entries()) {
    yield event('content_block_start', { index, content_block: block });
    yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  yield event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } });
  yield event('message_stop');
}
