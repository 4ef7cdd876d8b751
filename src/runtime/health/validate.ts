/** `validate`: what is wrong in the registry's files, and what the texts in them hide. */
import { join } from 'node:path';
import type { Registry, RegistryFinding } from '../../registry/index.ts';
import { type HiddenText, hiddenTexts } from '../sync/hidden-text.ts';

/** Checks every file, rebuilds the index, and adds a warning for each text that is not shown as it is stored. */
export async function validateRegistry(registry: Registry): Promise<readonly RegistryFinding[]> {
  const wrong = await registry.validate();
  const hidden = registry.servers().value.flatMap(({ name }) => hiddenFindings(registry, name));
  return [...wrong, ...hidden];
}

function hiddenFindings(registry: Registry, server: string): readonly RegistryFinding[] {
  const keys = new Map(registry.server(server).value?.tools.map(({ name, key }) => [name, key]));
  const tools = registry.tools(server).value;
  const { resources, resourceTemplates } = registry.resources(server).value;
  const said = {
    instructions: registry.meta(server).value?.instructions,
    tools,
    resources,
    resourceTemplates,
    prompts: registry.prompts(server).value,
  };
  const folder = registry.path(server);
  const place = ({ list, index, member }: HiddenText): Pick<RegistryFinding, 'file' | 'field'> => {
    if (list === 'instructions') return { file: join(folder, 'meta.json'), field: '/instructions' };
    if (list === 'prompts') return { file: join(folder, 'prompts.json'), field: '/prompts' };
    if (list !== 'tools') return { file: join(folder, 'resources.json'), field: `/${list}` };
    const key = keys.get(tools[index]?.name ?? '');
    return { file: registry.path(server, key), field: `/${member}` };
  };
  return hiddenTexts(said).map((hidden) => ({
    server,
    ...place(hidden),
    problem: `in the ${hidden.subject}, not shown: ${hidden.what}`,
    severity: 'warning',
  }));
}
