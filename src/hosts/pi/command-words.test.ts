import { expect, it } from 'vitest';
import { commandWords } from './command-words.ts';

const entry = '{ "command": "node", "args": ["it\'s.mjs"] }';

it.each([
  ['', []],
  ['  sync  everything ', ['sync', 'everything']],
  [
    `add x --env 'A=b c' -- node "a \\"b\\".mjs" it\\'s`,
    ['add', 'x', '--env', 'A=b c', '--', 'node', 'a "b".mjs', "it's"],
  ],
  [
    `approve x --tool 'get-*' --arg "path=/tmp/$HOME/*"`,
    ['approve', 'x', '--tool', 'get-*', '--arg', 'path=/tmp/$HOME/*'],
  ],
  ['search ""', ['search', '']],
  ['add x \\\n  -- node', ['add', 'x', '--', 'node']],
  [`add '{ "mcpServers": {} }'`, ['add', '{ "mcpServers": {} }']],
])('N1: %j is split as by a shell', (line, words) => {
  expect(commandWords(line)).toEqual(words);
});

it.each([
  [`add ${entry}`, ['add', entry]],
  [`add docs ${entry}  `, ['add', 'docs', entry]],
  [`add docs --timeout 3 ${entry}`, ['add', 'docs', '--timeout', '3', entry]],
  [
    `add {\n  "mcpServers": {\n    "it's": ${entry}\n  }\n}`,
    ['add', `{\n  "mcpServers": {\n    "it's": ${entry}\n  }\n}`],
  ],
  [`add "docs": ${entry},`, ['add', `"docs": ${entry},`]],
  [`add \`\`\`json\n${entry}\n\`\`\``, ['add', `\`\`\`json\n${entry}\n\`\`\``]],
  [
    'add claude mcp add docs --transport http https://a.example/mcp',
    ['add', 'claude mcp add docs --transport http https://a.example/mcp'],
  ],
  ['add [mcp_servers.docs]\nurl = "it\'s"', ['add', '[mcp_servers.docs]\nurl = "it\'s"']],
  [`add npx -y "a b"`, ['add', `npx -y "a b"`]],
  ['add "npx" -- npx -y x', ['add', 'npx', '--', 'npx', '-y', 'x']],
  ['add node -- node x.js', ['add', 'node', '--', 'node', 'x.js']],
  ['add x -- node -e {}', ['add', 'x', '--', 'node', '-e', '{}']],
  ['search {a}', ['search', '{a}']],
])('N1: what is pasted behind add needs no quotes: %j', (line, words) => {
  expect(commandWords(line)).toEqual(words);
});

it.each(["approve 'x", 'search "a', 'list \\'])('N1: %j is refused in one clear sentence', (line) => {
  expect(() => commandWords(line)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringMatching(/^A quote in the command is not closed/) as string,
    }),
  );
});
