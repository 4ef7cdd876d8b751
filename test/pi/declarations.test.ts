/** What the three declarations cost in every request, counted in what the provider receives. */
import { expect, it } from 'vitest';
import { loadTokenizer } from '../../src/context/index.ts';
import { piPlace, printPi, scriptedModel } from '../support/pi.ts';

const ours = /^(CallMcpTool|FetchMcpResource|ListMcpResources)$/;

/** In o200k tokens, with all that stands around a declaration in the request. */
async function declared(settings: Readonly<Record<string, unknown>>, api?: 'anthropic-messages'): Promise<number> {
  const model = await scriptedModel({ text: 'done' });
  await printPi(piPlace(model, { settings, ...(api === undefined ? {} : { api }) }), 'hello');
  const tools = (model.requests[0]?.body['tools'] ?? []) as readonly { name?: string; function?: { name: string } }[];
  const found = tools.filter((tool) => ours.test(tool.function?.name ?? tool.name ?? ''));
  expect(found).toHaveLength(3);
  return (await loadTokenizer())(found.map((tool) => JSON.stringify(tool)).join(','));
}

it('N1: the three tools cost a model under 450 tokens, also where Pi adds how scripts call them', async () => {
  const [openai, anthropic, withScripts] = await Promise.all([
    declared({}),
    declared({}, 'anthropic-messages'),
    declared({ defaultTools: ['+codemode'] }),
  ]);
  // What documents say; the promise is 450.
  expect({ openai, anthropic, withScripts }).toEqual({ openai: 368, anthropic: 384, withScripts: 431 });
});
