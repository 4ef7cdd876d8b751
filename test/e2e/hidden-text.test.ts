import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Cli, type CliRun, createCli, createDaemonCli, testServer } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';

/** What no terminal and no model may get: controls but tab and newline, zero-width, bidirectional and tag characters, line separators. */
const hidden =
  // eslint-disable-next-line no-control-regex -- these characters are the subject
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/u;

const [command, file, ...rest] = testServer('hidden-text.mjs');
const answering = [command, file, ...rest, 'answers'] as readonly string[];
const entry = (how: string): object => ({ command, args: [file, ...rest, how] });

interface Row {
  readonly args: readonly string[];
  /** First words of texts that must be there, or the row shows nothing: in text, in JSON; those of `anywhere` in both. */
  readonly anywhere?: readonly string[];
  readonly text?: readonly string[];
  readonly json?: readonly string[];
  readonly code?: number;
}

/** Runs each row as text and as JSON; what is wrong with anything that came out of either stream. */
async function look(cli: Cli, rows: readonly Row[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { args, anywhere = [], text = [], json = [], code = 0 } of rows) {
    const asText = await cli.run(args);
    problems.push(...problemsOf(args.join(' '), asText, { code, words: [...anywhere, ...text] }));
    const [name = '', ...others] = args;
    const asJson = await cli.run([name, '--json', ...others]);
    problems.push(...problemsOf(`${args.join(' ')} --json`, asJson, { code, words: [...anywhere, ...json] }));
    if (!isJson(asJson.stdout)) problems.push(`${args.join(' ')} --json: no JSON`);
  }
  return problems;
}

function problemsOf(
  args: string,
  run: CliRun,
  wanted: { readonly code: number; readonly words: readonly string[] },
): readonly string[] {
  const all = `${run.stdout}\n${run.stderr}`;
  const found = hidden.exec(all);
  const lacking = wanted.words.filter((word) => !all.includes(word));
  return [
    ...(run.code === wanted.code ? [] : [`${args}: ended with ${run.code}: ${all}`]),
    ...(found === null
      ? []
      : [`${args}: not clean: ${JSON.stringify(all.slice(Math.max(0, found.index - 60), found.index + 9))}`]),
    ...(lacking.length === 0 ? [] : [`${args}: without ${lacking.join(', ')}: ${all}`]),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A home whose server was synced; what the sync told is looked at too. */
async function synced(): Promise<Cli> {
  const cli = createCli();
  configureServers(cli.home, { evil: entry('answers') });
  expect(
    await look(cli, [
      {
        args: ['sync', 'evil'],
        anywhere: ['BrokenTool'],
        text: ['terminal escape sequence', 'tag character', 'zero-width'],
      },
    ]),
  ).toEqual([]);
  return cli;
}

const bridge = (tool: string, args: object): readonly string[] => [
  'tool',
  tool,
  JSON.stringify({ server: 'evil', ...args }),
];

describe('what a server hides in its texts reaches neither terminal nor model', () => {
  it('C5: in what is told of the registry', async () => {
    const cli = await synced();
    expect(
      await look(cli, [
        { args: ['list'] },
        { args: ['list', 'evil'], anywhere: ['ToolDescription'], text: ['toolname'], json: ['ToolName'] },
        { args: ['show', 'evil'], anywhere: ['Instructions', 'ServerTitle'] },
        {
          args: ['show', 'evil', 'say'],
          anywhere: ['ToolTitle', 'ToolDescription', 'ParameterDescription', 'ParameterName', 'Default', 'Choice'],
        },
        { args: ['show', 'evil', 'sat'], code: 2 },
        { args: ['search', 'tool description'], anywhere: ['ToolDescription'] },
        { args: ['context'], anywhere: ['Instructions', 'ToolDescription'], text: ['ParameterDescription'] },
        { args: ['context', '--no-files', '--budget', '400'], anywhere: ['Instructions'] },
        { args: ['context', '--explain'] },
        { args: ['status'] },
        { args: ['validate'], code: 1, anywhere: ['terminal escape sequence', 'bidirectional override', 'ToolName'] },
        { args: ['tool', 'ListMcpResources', '{"server": "registry"}'], anywhere: ['ToolDescription', 'toolname'] },
        {
          args: [
            'tool',
            'CallMcpTool',
            '{"server": "registry", "toolName": "search", "arguments": {"query": "tool description"}}',
          ],
          anywhere: ['ToolDescription'],
        },
        {
          args: ['tool', 'FetchMcpResource', '{"server": "registry", "uri": "registry://evil/say"}'],
          anywhere: ['ParameterDescription'],
        },
      ]),
    ).toEqual([]);
    const { stdout } = await cli.run(['context']);
    expect(stdout.match(/^## .*$/gm)).toEqual(['## evil']);
  });

  it('B1, C5: and a tool whose name hides something is called by what is shown of it, and by what hints offer', async () => {
    const cli = await synced();
    const { stdout } = await cli.run(['list', 'evil']);
    const [shown = ''] = /^toolname\S*/m.exec(stdout) ?? [];
    // The server answers this tool with an error of its own.
    expect(
      await look(cli, [
        { args: ['call', 'evil', shown], code: 1, anywhere: ['ErrorMessage'] },
        { args: ['show', 'evil', shown], anywhere: ['ToolDescription'] },
        { args: ['show', shown, '--', ...answering], anywhere: ['ToolDescription'] },
        { args: bridge('CallMcpTool', { toolName: shown }), code: 1, anywhere: ['ErrorMessage'] },
        { args: bridge('CallMcpTool', { toolName: 'ToolName' }), code: 2, anywhere: [`Did you mean ${shown}?`] },
        { args: ['call', 'evil', 'ToolName'], code: 2, text: [`call evil ${shown}`], json: [`evil ${shown}`] },
        { args: ['show', 'evil', 'ToolName'], code: 2, text: [`show evil ${shown}`], json: [`evil ${shown}`] },
        {
          args: ['tool', 'ListMcpResources', '{"server": "registry"}'],
          anywhere: [`registry://evil/${shown}  ${shown}:`],
        },
        { args: ['context'], anywhere: [`- ${shown}:`] },
      ]),
    ).toEqual([]);
  });

  it('C5: in answers, lists and errors of a live server', async () => {
    const cli = await synced();
    expect(
      await look(cli, [
        {
          args: ['call', 'evil', 'say'],
          anywhere: ['ResultText'],
          text: ['Progress'],
          json: ['ResultValue', 'ResultMember'],
        },
        { args: ['call', 'evil', 'show'], anywhere: ['LinkName', 'EmbeddedText', 'OddType', 'OddValue'] },
        { args: ['call', 'evil', 'fail'], code: 1, anywhere: ['ToolError'] },
        { args: ['call', 'evil', 'refuse'], code: 1, anywhere: ['ErrorMessage'] },
        { args: ['call', 'evil', 'leave'], code: 3, anywhere: ['CallStandardError'] },
        { args: ['call', 'evil', 'say', 'choice=x'], code: 2, anywhere: ['Choice'] },
        { args: ['resources', 'evil'], anywhere: ['ResourceTitle', 'hidden://uri', 'TemplateName'] },
        { args: ['read', 'evil', 'hidden://text'], anywhere: ['ResourceText'] },
        { args: ['prompts', 'evil'], anywhere: ['PromptDescription', 'PromptName'] },
        { args: ['prompt', 'evil', 'ask', 'topic=x'], anywhere: ['PromptMessage'] },
        { args: ['prompt', 'evil', 'nothing'], code: 2 },
        { args: bridge('CallMcpTool', { toolName: 'say' }), anywhere: ['ResultText'] },
        { args: bridge('CallMcpTool', { toolName: 'show' }), anywhere: ['OddValue'] },
        { args: bridge('CallMcpTool', { toolName: 'fail' }), code: 1, anywhere: ['ToolError'] },
        { args: bridge('CallMcpTool', { toolName: 'refuse' }), code: 1, anywhere: ['ErrorMessage'] },
        { args: bridge('ListMcpResources', {}), anywhere: ['ResourceTitle', 'TemplateName'] },
        { args: bridge('FetchMcpResource', { uri: 'hidden://text' }), anywhere: ['ResourceText'] },
      ]),
    ).toEqual([]);
  });

  it('C5: in what probe, doctor, add and reload tell', async () => {
    const cli = await synced();
    expect(
      await look(cli, [
        { args: ['probe', 'evil'], anywhere: ['ServerName', 'ToolDescription'], json: ['PromptDescription'] },
        { args: ['probe', 'evil', '--call'], anywhere: ['say'], json: ['calls'] },
        { args: ['doctor'], anywhere: ['terminal escape sequence'] },
        { args: ['reload'] },
      ]),
    ).toEqual([]);
    expect(
      await look(createCli(), [
        { args: ['show', '--', ...answering], anywhere: ['Instructions', 'ToolDescription'] },
        { args: ['add', 'evil', '--force', '--', ...answering], anywhere: ['terminal escape sequence'] },
      ]),
    ).toEqual([]);
  });

  it('C5: in what the daemon sends and writes down', async () => {
    const cli = createDaemonCli();
    configureServers(cli.home, { evil: entry('answers'), mortal: entry('dies') });
    expect(
      await look(cli, [
        { args: ['call', 'evil', 'say'], anywhere: ['ResultText'], text: ['Progress'] },
        { args: ['call', 'evil', 'leave'], code: 3, anywhere: ['CallStandardError'] },
        { args: ['call', 'mortal', 'say'], code: 3, anywhere: ['StartStandardError'] },
        { args: ['status'] },
        { args: ['daemon', 'logs'], text: ['Noise'] },
      ]),
    ).toEqual([]);
  });

  it.each([
    ['refuses', 'ErrorMessage', 1],
    ['dies', 'StartStandardError', 3],
  ])('C5: in why a server that %s could not be used', async (how, word, code) => {
    const cli = createCli();
    configureServers(cli.home, { evil: entry(how) });
    expect(
      await look(cli, [
        { args: ['sync', 'evil'], code, anywhere: [word] },
        { args: ['call', 'evil', 'say'], code, anywhere: [word] },
        { args: ['probe', 'evil'], code, anywhere: [word] },
        { args: ['doctor'], code: 1, anywhere: [word] },
        { args: bridge('CallMcpTool', { toolName: 'say' }), code, anywhere: [word] },
        { args: ['status'] },
      ]),
    ).toEqual([]);
  });

  it('C5: in what a server over HTTP says beside the protocol', async () => {
    const dirt = '\u001B[31mx\u001B]0;t\u0007\u202E\u200B\u{E0041}\u009B2J';
    const server = createServer((_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`BodyText${dirt}`);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const cli = createCli();
    configureServers(cli.home, { evil: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` } });
    expect(
      await look(cli, [
        { args: ['sync', 'evil'], code: 3, anywhere: ['BodyText'] },
        { args: ['call', 'evil', 'say'], code: 3, anywhere: ['BodyText'] },
      ]),
    ).toEqual([]);
  });
});
