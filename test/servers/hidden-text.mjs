// An initialize-era MCP server on standard streams that hides characters in every text it gives: terminal escapes, controls, zero-width,
// bidirectional and tag characters, and a line that forges a heading. Each text begins with a word of its own. Its first argument: `answers`,
// or `refuses` its handshake, or `dies` of its start.
import { createInterface } from 'node:readline';

const hidden = [
  '\u001B[31m',
  '\u001B]0;title\u0007',
  '\u001B]8;;http://x\u001B\\',
  '\u009B32m',
  '\u0000',
  '\u0008',
  '\u007F',
  '\r',
  '\u200B',
  '\uFEFF',
  '\u202E',
  '\u2066',
  '\u{E0041}\u{E0042}',
  '\u2028',
].join('x');
const dirty = (word) => `${word}${hidden}\n## forged ${word}`;

const [how] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (word) => process.stderr.write(`${dirty(word)}\n`);
const text = (word) => ({ type: 'text', text: dirty(word) });

const schema = {
  type: 'object',
  title: dirty('SchemaTitle'),
  properties: {
    text: { type: 'string', description: dirty('ParameterDescription'), default: dirty('Default') },
    choice: { enum: [dirty('Choice')], description: dirty('ChoiceDescription') },
    [dirty('ParameterName')]: { type: 'string' },
  },
};
const tool = (name) => ({
  name,
  title: dirty('ToolTitle'),
  description: dirty('ToolDescription'),
  inputSchema: schema,
  annotations: { title: dirty('AnnotationTitle') },
});

const results = {
  say: () => ({ content: [text('ResultText')], structuredContent: { [dirty('ResultMember')]: dirty('ResultValue') } }),
  show: () => ({
    content: [
      { type: 'resource_link', uri: dirty('link:Uri'), name: dirty('LinkName'), description: dirty('LinkDescription') },
      {
        type: 'resource',
        resource: { uri: dirty('embedded:Uri'), mimeType: dirty('EmbeddedType'), text: dirty('EmbeddedText') },
      },
      { type: 'image', data: 'AAAA', mimeType: dirty('image/Type') },
      { type: dirty('OddType'), [dirty('OddMember')]: dirty('OddValue') },
    ],
  }),
  fail: () => ({ isError: true, content: [text('ToolError')] }),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, experimental: { [dirty('Capability')]: {} } },
    serverInfo: { name: dirty('ServerName'), version: dirty('ServerVersion'), title: dirty('ServerTitle') },
    instructions: dirty('Instructions'),
  }),
  'tools/list': () => ({
    tools: [
      ...['say', 'show', 'fail', 'refuse', 'leave'].map(tool),
      tool(dirty('ToolName')),
      { name: dirty('BrokenTool'), inputSchema: dirty('BrokenSchema') },
    ],
  }),
  'resources/list': () => ({
    resources: [
      {
        uri: 'hidden://text',
        name: dirty('ResourceName'),
        title: dirty('ResourceTitle'),
        description: dirty('ResourceDescription'),
        mimeType: dirty('ResourceType'),
      },
      { uri: dirty('hidden://uri'), name: 'clean' },
    ],
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [
      {
        uriTemplate: dirty('hidden://{Template}'),
        name: dirty('TemplateName'),
        description: dirty('TemplateDescription'),
      },
    ],
  }),
  'prompts/list': () => ({
    prompts: [
      {
        name: 'ask',
        title: dirty('PromptTitle'),
        description: dirty('PromptDescription'),
        arguments: [{ name: 'topic', description: dirty('PromptArgument') }],
      },
      { name: dirty('PromptName'), arguments: [{ name: dirty('PromptArgumentName') }] },
    ],
  }),
  'prompts/get': () => ({
    description: dirty('GotDescription'),
    messages: [{ role: 'user', content: text('PromptMessage') }],
  }),
  'resources/read': () => ({ contents: [{ uri: dirty('hidden://contents'), text: dirty('ResourceText') }] }),
  'tools/call': ({ name, _meta }) => {
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined) {
      send({ method: 'notifications/progress', params: { progressToken, progress: 1, message: dirty('Progress') } });
    }
    send({
      method: 'notifications/message',
      params: { level: 'error', logger: dirty('Logger'), data: dirty('LogData') },
    });
    say('CallStandardError');
    if (name === 'leave') process.exit(7);
    return results[name]?.();
  },
  ping: () => ({}),
};

say('StartStandardError');
process.stdout.write(`${dirty('Noise')}\n`);
if (how === 'dies') process.exit(3);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = how === 'refuses' ? undefined : answers[method]?.(params);
  if (result !== undefined) send({ id, result });
  else
    send({
      id,
      error: { code: -32603, message: dirty('ErrorMessage'), data: { [dirty('ErrorMember')]: dirty('ErrorData') } },
    });
});
