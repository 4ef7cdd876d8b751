import { describe, expect, it } from 'vitest';
import { nameOfAddress, nameOfPackage } from './package-name.ts';
import { readPaste } from './paste.ts';

const github = {
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-github'],
  env: { GITHUB_TOKEN: '<YOUR_TOKEN>' },
};

/** Names with entries, as read. */
const read = async (text: string): Promise<readonly unknown[]> =>
  (await readPaste(text, 'linux')).map(({ name, entry }) => [name, entry]);

describe('what people paste', () => {
  it.each([
    ['mcpServers', JSON.stringify({ mcpServers: { github } })],
    [
      'with comments, a mark and a trailing comma',
      `\uFEFF// from the README\n{"mcpServers": {"github": ${JSON.stringify(github)},},}`.replace(
        '// from the README\n',
        '',
      ),
    ],
    ['a member without its braces', `"github": ${JSON.stringify(github)},`],
    ['entries by name', JSON.stringify({ github })],
    ['an entry with its name', JSON.stringify({ name: 'github', ...github })],
    ["VS Code's servers", JSON.stringify({ servers: { github: { type: 'stdio', ...github } } })],
    ["VS Code's settings", JSON.stringify({ mcp: { servers: { github } } })],
    ["Zed's settings", JSON.stringify({ context_servers: { github: { source: 'custom', ...github } } })],
    ['a block of Markdown', `\`\`\`json\n${JSON.stringify({ mcpServers: { github } }, null, 2)}\n\`\`\``],
    [
      'claude mcp add',
      "claude mcp add github -e 'GITHUB_TOKEN=<YOUR_TOKEN>' -s user -- npx -y @modelcontextprotocol/server-github",
    ],
    [
      'claude mcp add over lines',
      "$ claude mcp add \\\n  --env 'GITHUB_TOKEN=<YOUR_TOKEN>' \\\n  github \\\n  -- npx -y @modelcontextprotocol/server-github",
    ],
    [
      'claude mcp add without dashes',
      "claude mcp add --env 'GITHUB_TOKEN=<YOUR_TOKEN>' github npx -y @modelcontextprotocol/server-github",
    ],
    ['claude mcp add-json', `claude mcp add-json github '${JSON.stringify(github)}' --scope user`],
    [
      'codex mcp add',
      "codex mcp add github --env 'GITHUB_TOKEN=<YOUR_TOKEN>' -- npx -y @modelcontextprotocol/server-github",
    ],
    [
      'gemini mcp add',
      "gemini mcp add -e 'GITHUB_TOKEN=<YOUR_TOKEN>' github npx -y @modelcontextprotocol/server-github",
    ],
    ['code --add-mcp', `code --add-mcp '${JSON.stringify({ name: 'github', ...github })}'`],
    [
      'code --add-mcp in double quotes',
      `code --add-mcp "${JSON.stringify({ name: 'github', ...github }).replaceAll('"', '\\"')}"`,
    ],
  ])('L1: %s', async (_form, text) => {
    expect(await read(text)).toEqual([['github', github]]);
  });

  it('L1: an entry as it stands in servers.json keeps what only Trestle knows', async () => {
    const entry = {
      url: 'https://a.example/mcp',
      transport: 'sse',
      auth: { type: 'oauth', scopes: ['read'] },
      tools: { deny: ['delete_*'] },
      lifecycle: 'keep-alive',
    };
    const [server] = await readPaste(JSON.stringify({ mcpServers: { a: entry } }), 'linux');
    expect(server).toMatchObject({ entry, remarks: [] });
  });

  it('L1: several servers at once, each with what could not be taken over', async () => {
    const text =
      '{"mcpServers": {"a": {"command": "a", "timeout": 60, "surprise": 1}, "b": {"serverUrl": "https://b.example/mcp"}}}';
    const servers = await readPaste(text, 'linux');
    expect(servers.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(servers[0]?.remarks.map(({ field }) => field)).toEqual(['timeout', 'surprise']);
    expect(servers[1]?.entry).toEqual({ url: 'https://b.example/mcp' });
  });

  it('L1: addresses with headers, transports and variables', async () => {
    expect(
      await read(
        'claude mcp add --transport sse --header "Authorization: Bearer $TOKEN" linear https://mcp.linear.app/sse',
      ),
    ).toEqual([
      [
        'linear',
        { url: 'https://mcp.linear.app/sse', transport: 'sse', headers: { Authorization: 'Bearer ${TOKEN}' } },
      ],
    ]);
    expect(await read('codex mcp add figma --url https://mcp.figma.com/mcp --bearer-token-env-var FIGMA')).toEqual([
      ['figma', { url: 'https://mcp.figma.com/mcp', headers: { Authorization: 'Bearer ${FIGMA}' } }],
    ]);
    expect(await read('https://mcp.sentry.dev/mcp')).toEqual([[undefined, { url: 'https://mcp.sentry.dev/mcp' }]]);
    expect(
      await read('{"url": "https://example.com/mcp", "headers": {"X-Key": "${env:KEY}", "X-Other": "${OTHER:-none}"}}'),
    ).toEqual([
      [undefined, { url: 'https://example.com/mcp', headers: { 'X-Key': '${KEY}', 'X-Other': '${OTHER:-none}' } }],
    ]);
  });

  it("L1: what VS Code asks a person for becomes a secret; a server's own flags stay its own", async () => {
    const text =
      '{"inputs": [{"id": "key", "type": "promptString", "password": true}], "servers": {"a": {"command": "a", "env": {"KEY": "${input:key}"}}}}';
    const [server] = await readPaste(text, 'linux');
    expect(server).toMatchObject({
      entry: { env: { KEY: '${keychain:vscode-key}' } },
      inputs: [{ secret: 'vscode-key' }],
    });
    expect(await read('claude mcp add x npx --scope y -e A=b -- z')).toEqual([
      ['x', { command: 'npx', args: ['--scope', 'y', '-e', 'A=b', '--', 'z'] }],
    ]);
  });

  it.each([
    ['', 'there is nothing in it'],
    ['hello there', 'no line of another tool'],
    ['{"mcpServers": ', 'it begins like JSON'],
    ['{"theme": "dark"}', 'holds no server'],
    ["claude mcp add 'open", 'a quote in it is not closed'],
    ['claude mcp add', 'it names none'],
    ['claude mcp add name', 'neither a command nor a URL'],
    ['{"command": 5}', 'command must be text'],
    ['{"command": "x", "args": ["${workspaceFolder}"]}', 'which is another folder in every window'],
  ])('L1: %j is refused and says why', async (text, why) => {
    await expect(readPaste(text, 'linux')).rejects.toThrow(why);
  });
});

it('L1: packages and addresses give names', () => {
  const packages = {
    '@modelcontextprotocol/server-everything': 'everything',
    'mcp-server-time': 'time',
    '@playwright/mcp@latest': 'playwright',
    '@upstash/context7-mcp': 'context7',
    'server-perplexity-ask@1.0.0': 'perplexity-ask',
    'awslabs.aws-documentation-mcp-server': 'awslabs.aws-documentation',
    mcp: undefined,
  };
  for (const [spec, name] of Object.entries(packages)) expect([spec, nameOfPackage(spec)]).toEqual([spec, name]);
  const addresses = {
    'https://mcp.sentry.dev/mcp': 'sentry',
    'https://example.com/mcp': 'example',
    'https://api.githubcopilot.com/mcp/': 'githubcopilot',
    'http://localhost:3000/sse': 'localhost-3000',
    'http://127.0.0.1:3845/mcp': '127.0.0.1-3845',
    'no address': undefined,
  };
  for (const [url, name] of Object.entries(addresses)) expect([url, nameOfAddress(url)]).toEqual([url, name]);
});
