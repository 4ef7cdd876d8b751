/** What the documentation of servers shows, in the forms that are found there, and what becomes of each. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/base/index.ts';
import { isPaste, nameOfAddress, nameOfCommand, readPaste } from '../../src/config/index.ts';

const base64 = (entry: object): string => encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
const percent = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

const npx = (...args: readonly string[]): object => ({ command: 'npx', args });
const browser = npx('-y', 'some-browser-mcp@latest');
const remote = { url: 'https://mcp.example.com/mcp' };
const docker = { command: 'docker', args: ['run', '-i', '--rm', '-e', 'HUB_TOKEN', 'ghcr.io/hub/hub-mcp-server'] };
const asksForToken = { ...docker, env: { HUB_TOKEN: '${keychain:vscode-hub_token}' } };
const tokenInput = { id: 'hub_token', type: 'promptString', description: 'Token', password: true };

/** The name and the entry that come of a text; the remarks, where there are any. */
const forms: Readonly<Record<string, readonly [text: string, name: string | undefined, entry: object, ...string[]]>> = {
  'JSON behind a comment that says which file': [
    '// ~/.cursor/mcp.json\n{ "mcpServers": { "browser": { "command": "npx", "args": ["-y", "some-browser-mcp@latest"] } } }',
    'browser',
    browser,
  ],
  "Copilot's entry, with all tools": [
    '{"mcpServers": {"browser": {"type": "local", "command": "npx", "args": ["-y", "some-browser-mcp@latest"], "tools": ["*"]}}}',
    'browser',
    browser,
  ],
  "Copilot's entry, with some tools": [
    '{"mcpServers": {"docs": {"type": "http", "url": "https://mcp.example.com/mcp", "tools": ["search"]}}}',
    'docs',
    { ...remote, tools: { allow: ['search'] } },
  ],
  "Amp's settings": ['{"amp.mcpServers": {"docs": {"url": "https://mcp.example.com/mcp"}}}', 'docs', remote],
  'a list of entries with names': [
    '{"mcpServers": [{"name": "docs", "transport": "http", "url": "https://mcp.example.com/mcp"}]}',
    'docs',
    remote,
  ],
  "OpenCode's first form": [
    '{"$schema": "https://opencode.ai/config.json", "mcp": {"browser": {"type": "local", "command": ["npx", "-y", "some-browser-mcp@latest"], "enabled": true}}}',
    'browser',
    browser,
  ],
  "OpenCode's second form": [
    '{"mcp": {"servers": {"browser": {"type": "local", "command": ["npx", "-y", "some-browser-mcp@latest"], "environment": {"KEY": "{env:KEY}"}}}}}',
    'browser',
    { ...browser, env: { KEY: '${KEY}' } },
  ],
  "VS Code's inputs": [
    JSON.stringify({
      mcp: { inputs: [tokenInput], servers: { hub: { ...docker, env: { HUB_TOKEN: '${input:hub_token}' } } } },
    }),
    'hub',
    asksForToken,
  ],
  'an entry shown without its inputs': [
    `"hub": ${JSON.stringify({ ...docker, env: { HUB_TOKEN: '${input:hub_token}' } })}`,
    'hub',
    asksForToken,
  ],
  "Windsurf's address": ['{"mcpServers": {"docs": {"serverUrl": "https://mcp.example.com/mcp"}}}', 'docs', remote],
  "Gemini CLI's address, with a sign-in": [
    '{"mcpServers": {"docs": {"httpUrl": "https://mcp.example.com/mcp", "oauth": {"enabled": true, "clientId": "abc", "scopes": ["a", "b"]}}}}',
    'docs',
    { ...remote, auth: { type: 'oauth', clientId: 'abc', scope: 'a b' } },
  ],
  "Cursor's sign-in": [
    '{"mcpServers": {"docs": {"url": "https://mcp.example.com/mcp", "auth": {"CLIENT_ID": "${env:ID}", "scopes": ["a"]}}}}',
    'docs',
    { ...remote, auth: { type: 'oauth', clientId: '${ID}', scope: 'a' } },
  ],
  'a program that fills its arguments from its variables itself': [
    '{"mcpServers": {"docs": {"command": "npx", "args": ["mcp-remote", "https://mcp.example.com/sse", "--header", "Authorization:${AUTH_HEADER}"], "env": {"AUTH_HEADER": "Bearer ${TOKEN}"}}}}',
    'docs',
    {
      ...npx('mcp-remote', 'https://mcp.example.com/sse', '--header', 'Authorization:$${AUTH_HEADER}'),
      env: { AUTH_HEADER: 'Bearer ${TOKEN}' },
    },
  ],
  'values that are to be filled in, or may be variables': [
    '{"mcpServers": {"hub": {"command": "hub", "env": {"A": "<YOUR_TOKEN>", "B": "$TOKEN", "C": "${C}"}}}}',
    'hub',
    { command: 'hub', env: { A: '<YOUR_TOKEN>', B: '$TOKEN', C: '${C}' } },
    'env.A has <…> where the value belongs',
    'env.B has $TOKEN, which is taken as it stands: ${TOKEN} would be the variable',
  ],
  "Codex's table": [
    '# ~/.codex/config.toml\n[mcp_servers.browser]\ncommand = "cmd"\nargs = [\n  "/c", "npx", "-y", "some-browser-mcp@latest",\n]\nenv = { SystemRoot="C:\\\\Windows" }\nstartup_timeout_ms = 20_000',
    'browser',
    { command: 'cmd', args: ['/c', 'npx', '-y', 'some-browser-mcp@latest'], env: { SystemRoot: 'C:\\Windows' } },
    'startup_timeout_ms the time to start counts as that of a request',
  ],
  'a TOML list of servers': [
    '[[mcp_servers]]\nname = "docs"\ntransport = "streamable-http"\nurl = "https://mcp.example.com/mcp"\n',
    'docs',
    { ...remote, transport: 'streamable' },
  ],
  "Goose's extensions": [
    'extensions:\n  browser:\n    type: stdio\n    name: browser\n    cmd: npx\n    args: [-y, some-browser-mcp@latest]\n    enabled: true\n    timeout: 300\n',
    'browser',
    { ...browser, timeout: 300 },
  ],
  'claude mcp add without dashes': [
    'claude mcp add browser --scope user npx -y some-browser-mcp@latest',
    'browser',
    browser,
  ],
  'claude mcp add with a registered client': [
    'claude mcp add --transport http \\\n  --client-id abc --callback-port 8080 \\\n  docs https://mcp.example.com/mcp --header "X-Key: $KEY"',
    'docs',
    {
      ...remote,
      transport: 'streamable',
      headers: { 'X-Key': '${KEY}' },
      auth: { type: 'oauth', clientId: 'abc', redirectPort: 8080 },
    },
  ],
  'claude mcp add for PowerShell': [
    'claude mcp add hub `\r\n  -e HUB_TOKEN="${TOKEN}" `\r\n  -- npx -y "some-hub-mcp" --dir "$HOME/hub"',
    'hub',
    { ...npx('-y', 'some-hub-mcp', '--dir', '${HOME}/hub'), env: { HUB_TOKEN: '${TOKEN}' } },
  ],
  'code --add-mcp behind a comment': [
    `# For VS Code\ncode --add-mcp '${JSON.stringify({ name: 'browser', ...browser })}'`,
    'browser',
    browser,
  ],
  'code --add-mcp for PowerShell': [
    `code --add-mcp '${JSON.stringify({ name: 'browser', ...browser }).replaceAll('"', '"""')}'`,
    'browser',
    browser,
  ],
  'codex mcp add with a registered client': [
    'codex mcp add docs --url https://mcp.example.com/mcp --oauth-client-id abc',
    'docs',
    { ...remote, auth: { type: 'oauth', clientId: 'abc' } },
  ],
  'gemini mcp add with lists of tools': [
    'gemini mcp add -s user --timeout 30000 --include-tools read,list --trust docs https://mcp.example.com/mcp',
    'docs',
    { ...remote, timeout: 30, tools: { allow: ['read', 'list'] } },
  ],
  'opencode mcp add': [
    'opencode mcp add docs --global --url https://mcp.example.com/mcp --header "Authorization=Bearer {env:TOKEN}"',
    'docs',
    { ...remote, headers: { Authorization: 'Bearer ${TOKEN}' } },
  ],
  'droid mcp add, with the command in one word': [
    'droid mcp add browser "npx -y some-browser-mcp@latest" --env KEY=v',
    'browser',
    { ...browser, env: { KEY: 'v' } },
  ],
  'a line that was taken over from Claude Code': [
    'devin mcp add browser -- npx -y some-browser-mcp@latest',
    'browser',
    browser,
  ],
  'a command alone': ['npx -y some-browser-mcp@latest', undefined, browser],
  'a command behind variables': [
    '$ HUB_TOKEN=abc uvx mcp-hub',
    undefined,
    { command: 'uvx', args: ['mcp-hub'], env: { HUB_TOKEN: 'abc' } },
  ],
  'a container, and the variables that it is handed on': [
    '{"mcpServers": {"hub": {"command": "podman", "args": ["run", "-e", "A", "-e", "B=b", "--env=C", "-e", "D", "hub"], "env": {"D": "d"}}}}',
    'hub',
    {
      command: 'podman',
      args: ['run', '-e', 'A', '-e', 'B=b', '--env=C', '-e', 'D', 'hub'],
      env: { A: '${A}', C: '${C}', D: 'd' },
    },
  ],
  'docker run': [
    'docker run -i --rm -e HUB_TOKEN ghcr.io/hub/hub-mcp-server',
    undefined,
    { ...docker, env: { HUB_TOKEN: '${HUB_TOKEN}' } },
  ],
  'a link for Cursor': [
    `cursor://anysphere.cursor-deeplink/mcp/install?name=docs&config=${base64(remote)}`,
    'docs',
    remote,
  ],
  'a link for Cursor over its page, with a whole line for a command': [
    `https://cursor.com/en/install-mcp?name=browser&config=${base64({ command: 'npx -y some-browser-mcp@latest' })}`,
    'browser',
    browser,
  ],
  'a link for VS Code': [`vscode:mcp/install?${percent({ name: 'docs', type: 'http', ...remote })}`, 'docs', remote],
  'a link for VS Code over its page, encoded twice, with the entry inside': [
    `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode-insiders:mcp/install?${percent({ name: 'browser', config: browser })}`)}`,
    'browser',
    browser,
  ],
  'a link for VS Code with inputs': [
    `https://insiders.vscode.dev/redirect/mcp/install?name=hub&inputs=${percent([tokenInput])}&config=${percent({ ...docker, env: { HUB_TOKEN: '${input:hub_token}' } })}&quality=insiders`,
    'hub',
    asksForToken,
  ],
  'a link for LM Studio': [`lmstudio://add_mcp?name=docs&config=${base64(remote)}`, 'docs', remote],
  'a link for Goose': [
    'goose://extension?cmd=npx&arg=-y&arg=some-hub-mcp&id=hub&name=The%20Hub&env=HUB_TOKEN%3DYour%20token',
    'hub',
    { ...npx('-y', 'some-hub-mcp'), env: { HUB_TOKEN: '${HUB_TOKEN}' } },
  ],
};

describe('what documentation shows', () => {
  it.each(Object.entries(forms))('L1: %s', async (_form, [text, name, entry, ...remarks]) => {
    expect(isPaste(text)).toBe(true);
    const read = await readPaste(text, 'linux');
    expect(read.map((server) => [server.name, server.entry])).toEqual([[name, entry]]);
    const told = read.flatMap((server) => server.remarks.map(({ field, why }) => `${field} ${why}`));
    expect(told.filter((remark) => !remark.startsWith('--trust'))).toEqual(remarks);
  });

  it('L1: several lines are several servers, each with its own command', async () => {
    const lines = '# all of ours\nclaude mcp add a -- npx a\n\nclaude mcp add b -- npx b # the other\n';
    expect((await readPaste(lines, 'linux')).map(({ name, entry }) => [name, entry])).toEqual([
      ['a', npx('a')],
      ['b', npx('b')],
    ]);
  });

  it('L1: a person is asked for an input by what describes it, or else by its name', async () => {
    const asked = async (text: string): Promise<readonly JsonValue[]> =>
      (await readPaste(text, 'linux')).flatMap(({ inputs }) =>
        inputs.map(({ secret, description }) => [secret, description]),
      );
    const entry = { command: 'x', env: { A: '${input:hub_token}' } };
    expect(await asked(JSON.stringify({ inputs: [tokenInput], servers: { x: entry } }))).toEqual([
      ['vscode-hub_token', 'Token'],
    ]);
    expect(await asked(JSON.stringify({ x: entry }))).toEqual([['vscode-hub_token', 'hub_token']]);
  });

  it.each([
    [
      'claude mcp add --pigeon abc docs https://mcp.example.com/mcp',
      '"claude mcp add" has no --pigeon that is known here',
    ],
    ['claude mcp add -e KEY docs -- npx x', '-e has no name and value'],
    ['claude mcp add fs -- npx fs "$(pwd)"', 'which only a shell replaces'],
    ['gemini mcp add --timeout soon docs https://mcp.example.com/mcp', '--timeout has no number'],
    ['npx -y @smithery/cli@latest install hub --client claude', 'it is the line of an installer'],
    ['npx add-mcp https://mcp.example.com/mcp', 'it is the line of an installer'],
    ['npm install -g hub\nclaude mcp add hub -- hub', 'command 1 of it is no line of another tool'],
    ['cursor://anysphere.cursor-deeplink/mcp/install?name=docs', 'the link has no config'],
    ['cursor://anysphere.cursor-deeplink/mcp/install?name=docs&config=%%%', 'the link carries no JSON'],
    ['vscode:mcp/install?%7B%22name%22', 'the link carries no JSON'],
    ['goose://extension?id=hub', 'neither cmd nor url'],
    ['[mcp_servers.docs]\nurl = ', 'it begins like TOML, but'],
    ['extensions:\n  - [', 'it begins like YAML, but'],
    ['{ ...\n "docs": {"url": "https://mcp.example.com/mcp"} }', 'it begins like JSON, but'],
    ['{"packages": [], "name": "io.example/docs"}', 'it is JSON, but holds no server'],
  ])('L1: %j is refused and says why', async (text, why) => {
    await expect(readPaste(text, 'linux')).rejects.toThrow(why);
  });
});

it('L1: a command is called by what it runs, an address by its host', () => {
  const commands: Readonly<Record<string, string | undefined>> = {
    'npx -y @scope/server-hub@latest': 'hub',
    'npx --package @scope/hub-mcp some-bin': 'some-bin',
    'C:\\nodejs\\npx.cmd hub-mcp': 'hub',
    'cmd /c npx -y hub-mcp': 'hub',
    'pnpm dlx hub-mcp': 'hub',
    'uvx --from git+https://example.com/hub mcp-hub': 'hub',
    'uv tool run mcp-hub': 'hub',
    'pipx run mcp-hub': 'hub',
    'docker run -i --rm -e TOKEN --pull=always ghcr.io/hub/hub-mcp-server:1.0': 'hub',
    'podman run -v /a:/b mcp/fetch@sha256:abc': 'fetch',
    'node server.js': undefined,
    'uv --directory /a run server.py': undefined,
  };
  const named = Object.keys(commands).map((line) => {
    const [command = '', ...args] = line.split(' ');
    return [line, nameOfCommand(command, args)];
  });
  expect(Object.fromEntries(named)).toEqual(commands);
  expect(nameOfAddress('https://mcp.hub.com/mcp')).toBe('hub');
});
