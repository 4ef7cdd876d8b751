/** `list`: servers, or the tools of one; from the files, no server is started. */
import { plural } from '../../base/index.ts';
import type { ConfigView } from '../../config/index.ts';
import { writableName } from '../../policy/index.ts';
import type { IndexedServer } from '../../registry/index.ts';
import { registeredServers, type Runtime, waitingNotes } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Word } from '../flags.ts';
import { folderOf } from '../known-names.ts';
import { refuseUnnameable } from '../refuse-unnameable.ts';
import { cell } from '../render/cell.ts';
import { renderFinding } from '../render/finding.ts';
import { renderJson } from '../render/json.ts';
import { renderRows } from '../render/table.ts';
import { toolCount } from '../render/tool-count.ts';
import { refuseFurther } from '../target.ts';
import { commandLine } from '../typed-command.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'Lists servers, or the tools of one. Starts no server.',
  usage: ['list', 'list <server>'],
  flags: {},
  words: ['server'],
  json: 'Print { servers, notices, findings }, where the `values` of a server say which file each came from; of one server { server, synced, tools, denied, findings }.',
  examples: ['list', 'list everything', 'list --json'],
  async run(context, words) {
    const [name, ...others] = words.words;
    refuseFurther(others, 'the server');
    const runtime = context.runtime();
    return name === undefined ? listServers(context, runtime) : listTools(context, runtime, name);
  },
});

async function listServers(context: CommandContext, runtime: Runtime): Promise<number> {
  const { output } = context;
  const config = runtime.config();
  const { value, findings } = runtime.registry.servers();
  const registered = registeredServers(value, config);
  const names = [
    ...new Set([...config.servers.keys(), ...config.waiting.keys(), ...config.broken.keys(), ...registered.keys()]),
  ].sort();
  if (output.json) {
    const { serverJson } = await import('../server-json.ts');
    const servers = names.map((name) => serverJson(name, { runtime, config, registered: registered.get(name) }));
    await output.write(renderJson({ servers, notices: config.notices, findings }));
    return exitCodes.ok;
  }
  if (names.length === 0) {
    await output.lines([
      'No servers yet. Add one:',
      `  ${commandLine(context.typed, 'add', 'everything', '--', 'npx', '-y', '@modelcontextprotocol/server-everything')}`,
    ]);
  }
  const rows = names.map((name) => serverRow(name, config, registered.get(name)));
  await output.lines(renderRows(rows, output, (text, column) => (column === 0 ? output.style.bold(text) : text)));
  for (const notice of config.notices) output.note(notice);
  for (const note of waitingNotes(config.waiting)) output.note(note);
  if (config.broken.size > 0) output.note(`What is wrong is told by: ${commandLine(context.typed, 'status')}`);
  for (const finding of findings) output.error(`${renderFinding(finding, output.errorStyle)}\n`);
  return exitCodes.ok;
}

function serverRow(name: string, config: ConfigView, registered: IndexedServer | undefined): readonly string[] {
  const definition = config.servers.get(name);
  return [
    cell(name),
    registered === undefined ? 'not synced' : toolCount(registered.toolCount, registered.hiddenTools ?? 0),
    definition?.transport.kind ?? registered?.transport ?? '',
    stateOf(name, config),
    cell(definition?.description ?? registered?.description),
  ];
}

function stateOf(name: string, config: ConfigView): string {
  const definition = config.servers.get(name);
  const waiting = config.waiting.get(name);
  if (definition === undefined && waiting !== undefined) return waiting.why;
  if (definition === undefined) return config.broken.has(name) ? 'broken entry' : 'registry only';
  return definition.enabled ? '' : 'disabled';
}

async function listTools(context: CommandContext, runtime: Runtime, name: Word): Promise<number> {
  const { output, typed } = context;
  const typedName = { name: name.text, at: name.at };
  await refuseUnnameable(runtime, typed, typedName);
  const { value: server, findings } = runtime.registry.server(folderOf(runtime, name.text));
  const refusal =
    server === undefined ? (await import('../suggest.ts')).nothingToTell(runtime, typed, typedName) : undefined;
  if (refusal !== undefined) throw refusal;
  if (output.json) {
    await output.write(
      renderJson({
        server: name.text,
        synced: server !== undefined,
        tools: server?.tools ?? [],
        denied: server?.hiddenTools ?? 0,
        findings,
      }),
    );
    return exitCodes.ok;
  }
  if (server === undefined) output.note(whyNoTools(context, runtime, name.text));
  else if (server.tools.length === 0) await output.lines(['No tools.']);
  else {
    const { columns } = output;
    const rows = server.tools.map((tool) => [writableName(tool), cell(tool.description, columns)]);
    await output.lines(renderRows(rows, output, (text, column) => (column === 0 ? output.style.bold(text) : text)));
  }
  const { hiddenTools = 0 } = server ?? {};
  if (hiddenTools > 0)
    output.note(
      `${plural(hiddenTools, 'more tool')} ${hiddenTools === 1 ? 'is' : 'are'} denied by "tools" of its entry.`,
    );
  for (const finding of findings) output.error(`${renderFinding(finding, output.errorStyle)}\n`);
  return exitCodes.ok;
}

function whyNoTools({ typed }: CommandContext, runtime: Runtime, name: string): string {
  const { servers, broken } = runtime.config();
  if (broken.has(name))
    return `The entry of ${name} is broken. What is wrong is told by: ${commandLine(typed, 'status')}`;
  if (servers.get(name)?.enabled === false) return `${name} is disabled and was never synced.`;
  return `${name} was never synced: ${commandLine(typed, 'sync', name)}`;
}
