/** Ways to use every command with a server `it` that repeats its secret wherever it can, and `mute`, which dies of its start. */

/** By command; a new command without a line here fails the test. */
export const commandLines: Readonly<Record<string, readonly (readonly string[])[]>> = {
  add: [
    ['add', 'added', '--env', 'API_TOKEN', '--', process.execPath, '<telltale>'],
    ['add', 'broken', '--env', 'API_TOKEN', '--', process.execPath, '<telltale>', 'mute'],
  ],
  sync: [['sync'], ['sync', 'it'], ['sync', 'mute'], ['sync', 'http']],
  remove: [['remove', 'added']],
  list: [['list'], ['list', 'it']],
  show: [
    ['show', 'it'],
    ['show', 'it', 'tell'],
    ['show', 'it', 'strict'],
    ['show', 'mute'],
    ['show', 'http'],
  ],
  call: [
    ...['tell', 'fail', 'refuse', 'mismatch', 'long', 'wide', 'nothing', 'strange', 'die', 'strict', 'unknown'].flatMap(
      (tool) => [
        ['call', 'it', tool],
        ['call', 'it', tool, '--full'],
        ['call', 'it', tool, '-o', `<out>/${tool}`],
      ],
    ),
    ['call', 'mute', 'tell'],
    ...['500', '401', '403', 'redirect', 'html', 'type', 'rpc'].map((path) => ['call', `http-${path}`, 'tell']),
    ['call', 'tell', '--', process.execPath, '<telltale>'],
  ],
  resources: [
    ['resources', 'it'],
    ['resources', 'mute'],
  ],
  read: [
    ['read', 'it', 'x://plain'],
    ['read', 'it', 'x://plain', '--full'],
  ],
  prompts: [
    ['prompts', 'it'],
    ['prompts', 'mute'],
  ],
  prompt: [
    ['prompt', 'it', 'p', 'plain=x'],
    ['prompt', 'it', 'p', 'plain=x', '-o', '<out>/prompt'],
  ],
  search: [
    ['search', 'says'],
    ['search', 'tell'],
  ],
  status: [['status']],
  context: [['context'], ['context', '--explain'], ['context', '--no-files']],
  approve: [
    ['approve'],
    ['approve', 'it'],
    ['approve', 'it', '--yes'],
    ['approve', 'http', '--yes'],
    ['approve', 'http'],
  ],
  revoke: [
    ['revoke', 'it'],
    ['revoke', '--all'],
  ],
  import: [['import', '--from', 'claude-code', '<source>'], ['import']],
  export: [
    ...['mcpServers', 'opencode', 'vscode', 'codex'].map((format) => ['export', '--format', format]),
    ['export', '--format', 'mcpServers', 'it', '-o', '<out>/exported'],
  ],
  install: [
    ['install', '--host', 'cursor', '--dry-run'],
    ['install', '--host', 'claude-code', '--yes'],
  ],
  login: [
    ['login', 'it'],
    ['login', 'http-500', '--no-browser'],
    ['login', 'http-403', '--no-browser'],
  ],
  logout: [
    ['logout', 'it'],
    ['logout', 'http'],
  ],
  validate: [['validate']],
  reload: [['reload']],
  doctor: [['doctor'], ['doctor', 'it'], ['doctor', 'mute']],
  secret: [['secret', 'list']],
  tool: [
    ['tool'],
    ...['tell', 'fail', 'refuse', 'long', 'die', 'unknown'].flatMap((toolName) => [
      ['tool', 'CallMcpTool', JSON.stringify({ server: 'it', toolName, arguments: {} })],
      ['tool', 'mcp_call', JSON.stringify({ configPath: '<home>/servers.json', server: 'it', tool: toolName })],
    ]),
    ['tool', 'FetchMcpResource', JSON.stringify({ server: 'it', uri: 'x://plain' })],
    ['tool', 'FetchMcpResource', JSON.stringify({ server: 'it', uri: 'x://plain', downloadPath: 'downloaded' })],
    ['tool', 'ListMcpResources', JSON.stringify({ server: 'it' })],
    ['tool', 'mcp_list', JSON.stringify({ configPath: '<home>/servers.json', server: 'it' })],
    ['tool', 'mcp_list', JSON.stringify({ configPath: '<home>/servers.json', server: 'mute' })],
  ],
  daemon: [
    ['daemon', 'status'],
    ['daemon', 'logs'],
  ],
  completion: [['completion', 'bash']],
  probe: [
    ['probe', 'it'],
    ['probe', 'it', '--call'],
    ['probe', 'mute'],
  ],
};

const [first, last] = [['add', 'sync'], ['remove']];

/** Added and synced first, removed last: the others have something to show. */
export const commandOrder: readonly string[] = [
  ...first,
  ...Object.keys(commandLines).filter((name) => ![...first, ...last].includes(name)),
  ...last,
];
