/** What may have been meant by a name that is unknown: the user's own command with the name replaced. */
import { nearest, someOf, TrestleError } from '../base/index.ts';
import type { Failed, Runtime } from '../runtime/index.ts';
import { knownServers, readableConfig, typedToolNames } from './known-names.ts';
import { withHint } from './report.ts';
import type { Target } from './target.ts';
import { commandLine, correctedCommand, type TypedCommand } from './typed-command.ts';

/** A name with its place among the words typed. */
export interface TypedName {
  readonly name: string;
  readonly at: number;
  /** What stands before it in the same word: `--server=`. */
  readonly before?: string;
  /** Whether a URL could stand in its place. */
  readonly orUrl?: boolean;
  /** Whether the name of a tool is missing after it, or could follow. */
  readonly orTool?: boolean;
}

/** The error of a server that neither the configuration nor the registry knows. */
export function unknownServer(runtime: Runtime, typed: TypedCommand, target: TypedName): TrestleError {
  return new TrestleError({
    code: 'unknown_server',
    message: `There is no server named ${JSON.stringify(target.name)}.`,
    hint: serverHint(runtime, typed, target),
    server: target.name,
    execution: 'not-sent',
  });
}

/** A failure whose hint gives the user's own command with the wrong name replaced, where one is near. */
export function withSuggestion(
  failed: Failed,
  about: {
    readonly runtime: Runtime;
    readonly typed: TypedCommand;
    readonly target: Target;
    readonly tool?: Word;
    readonly prompt?: Word;
  },
): Failed {
  const { runtime, typed, target, tool, prompt } = about;
  if (target.kind !== 'named') return failed;
  if (failed.failure.code === 'unknown_server') {
    // What stands in the tool's place may be the first argument.
    const orTool = tool !== undefined && !target.name.endsWith(tool.text);
    return withHint(failed, serverHint(runtime, typed, { ...target, orTool }));
  }
  if (failed.failure.code === 'unknown_prompt' && prompt !== undefined) {
    const near = first(failed.failure.details?.['nearest']);
    return near === undefined
      ? withHint(failed, `See its prompts: ${commandLine(typed, 'prompts', target.name)}`)
      : withHint(failed, `Did you mean: ${correctedCommand(typed, [{ at: prompt.at, words: [near] }])}`);
  }
  if (failed.failure.code === 'unknown_tool' && tool !== undefined) {
    const { nearest: near, elsewhere } = failed.failure.details ?? {};
    return withHint(failed, toolHint({ runtime, typed, target, tool, near: first(near), elsewhere: first(elsewhere) }));
  }
  return failed;
}

interface Word {
  readonly text: string;
  readonly at: number;
}

/** What to do about a command that names a server and no tool. */
export function toolMissingHint(runtime: Runtime, typed: TypedCommand, target: TypedName): string {
  const joined = joinedName(runtime, target.name);
  return joined === undefined
    ? `See its tools: ${commandLine(typed, 'list', target.name)}`
    : `Did you mean: ${correctedCommand(typed, [{ at: target.at, words: [joined.server, joined.tool] }])}`;
}

/** A server and one of its tools where both were written as one word: `server.tool`, `server/tool`. */
function joinedName(runtime: Runtime, word: string): { readonly server: string; readonly tool: string } | undefined {
  return knownServers(runtime)
    .filter((server) => word.startsWith(server))
    .map((server) => ({ server, tool: word.slice(server.length).replace(/^(?:[./:]|__)/, '') }))
    .find(({ server, tool }) => word !== `${server}${tool}` && typedToolNames(runtime, server).includes(tool));
}

/** The URL that a word seems to be but for its beginning: `localhost:3000/mcp`, `example.com/mcp`. */
function urlWithoutScheme(word: string): string | undefined {
  const [, host = ''] =
    /^(localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d)|\[[\da-f:]+\])(?::\d+)?(?:\/|$)/i.exec(word) ?? [];
  if (host === '' || (!/[:/]/.test(word) && host !== 'localhost')) return undefined;
  // Names of the internet want https; addresses and short names are of this machine or near it.
  return `${/\.[a-z]+$/i.test(host) ? 'https' : 'http'}://${word}`;
}

function serverHint(runtime: Runtime, typed: TypedCommand, target: TypedName): string {
  const names = knownServers(runtime);
  const joined = joinedName(runtime, target.name);
  if (joined !== undefined) {
    const words = [`${target.before ?? ''}${joined.server}`, ...(target.orTool === true ? [joined.tool] : [])];
    return `Did you mean: ${correctedCommand(typed, [{ at: target.at, words }])}`;
  }
  const url = target.orUrl === true ? urlWithoutScheme(target.name) : undefined;
  if (url !== undefined) return `Did you mean: ${correctedCommand(typed, [{ at: target.at, words: [url] }])}`;
  const [guess] = nearest(target.name, names, 1);
  if (guess !== undefined) {
    const words = [`${target.before ?? ''}${guess}`];
    return `Did you mean: ${correctedCommand(typed, [{ at: target.at, words }])}`;
  }
  if (/^[a-z]+:\/\//i.test(target.name)) return 'A URL begins with http:// or https://.';
  if (names.length === 0)
    return `No server is configured yet. Add one: ${commandLine(typed, 'add', 'NAME', '--', 'command', 'args')}`;
  return `Servers: ${someOf(names)}. See them with: ${commandLine(typed, 'list')}`;
}

/** The error of a tool that its server does not have. */
export function unknownTool(server: string, tool: string, hint: string): TrestleError {
  return new TrestleError({
    code: 'unknown_tool',
    message: `${server} has no tool named ${JSON.stringify(tool)}.`,
    hint,
    server,
    execution: 'not-sent',
  });
}

/** What to do about a tool that `target` does not have, given the nearest name it has and another server that has the exact one. */
export function toolHint(about: {
  readonly runtime: Runtime;
  readonly typed: TypedCommand;
  readonly target: { readonly name: string; readonly at: number };
  readonly tool: Word;
  readonly near: string | undefined;
  readonly elsewhere: string | undefined;
}): string {
  const { runtime, typed, target, tool, near, elsewhere } = about;
  if (elsewhere !== undefined) {
    const command = correctedCommand(typed, [{ at: target.at, words: [elsewhere] }]);
    return `${elsewhere} has a tool of that name. Did you mean: ${command}`;
  }
  if (near !== undefined) return `Did you mean: ${correctedCommand(typed, [{ at: tool.at, words: [near] }])}`;
  const own = typedToolNames(runtime, target.name);
  return own.length === 0
    ? `Read its tools first: ${commandLine(typed, 'sync', target.name)}`
    : `Tools: ${someOf(own)}. See them with: ${commandLine(typed, 'list', target.name)}`;
}

function first(names: unknown): string | undefined {
  const [name] = Array.isArray(names) ? (names as unknown[]) : [];
  return typeof name === 'string' ? name : undefined;
}

/** The error of a server of which nothing can be told, whatever the registry has: nobody knows it, or it waits for approval. */
export function nothingToTell(runtime: Runtime, typed: TypedCommand, target: TypedName): TrestleError | undefined {
  return knownServers(runtime).includes(target.name)
    ? waitingError(runtime, typed, target.name)
    : unknownServer(runtime, typed, target);
}

/** The error where nothing is told, since a project asks for it and nobody has approved it; undefined for any other. */
function waitingError(runtime: Runtime, typed: TypedCommand, name: string): TrestleError | undefined {
  const config = readableConfig(runtime);
  const waiting = config?.servers.has(name) === false ? config.waiting.get(name) : undefined;
  if (waiting === undefined) return undefined;
  return new TrestleError({
    code: 'approval_needed',
    message: `${name} is asked for by ${waiting.definition.source.file ?? 'a project'}: ${waiting.why}, so nothing of it is started or shown.`,
    hint: `See what it is, and approve it: ${commandLine(typed, 'approve', name, '--connect')}`,
    server: name,
    execution: 'not-sent',
  });
}
