/** Lists and gets of prompts: asked of the live server, once more when its session was lost. */
import { canonicalJson } from '../../base/index.ts';
import { promptBlocks } from '../../policy/index.ts';
import { permit } from '../consent/permission.ts';
import { type Core, shownProgress, shownText, withoutSecrets } from '../core.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import { nothingShown, presentBlocks } from './finalise.ts';
import { fitPrompt } from './fit-prompt.ts';
import type { PromptList, PromptRequest, PromptValue } from './server-contents.ts';
import type { ServerRequest } from './server-request.ts';
import { withSession } from './with-session.ts';

/** Lists prompts, all pages. Rejects with a TrestleError. */
export async function listPrompts(core: Core, request: ServerRequest): Promise<PromptList> {
  const definition = findServerToAsk(core, request.server, request);
  permit(core, { ...request, definition, need: { kind: 'use', what: 'list prompts' } });
  const work = { definition, request, subject: `${definition.name}: list prompts`, repeatable: true };
  const { items, problems } = await withSession(core, work, (session, deadline) => session.listPrompts({ deadline }));
  return {
    prompts: items.map((item) => withoutSecrets(core, item)),
    problems: problems.map((problem) => shownText(core, problem)),
  };
}

/** Gets a prompt filled with its arguments; what the registry knows to be missing is refused first. Rejects with a TrestleError. */
export async function getPrompt(core: Core, request: PromptRequest): Promise<PromptValue> {
  const definition = findServerToAsk(core, request.server, request);
  const { prompt, arguments: given = {} } = request;
  if (typeof request.server === 'string') fitPrompt(core, { definition, prompt, arguments: given });
  permit(core, { ...request, definition, need: { kind: 'use', what: `prompt ${prompt} ${canonicalJson(given)}` } });
  const work = { definition, request, subject: `${definition.name}: prompt ${prompt}`, repeatable: true };
  const got = await withSession(core, work, (session, deadline) =>
    session.getPrompt(
      { name: prompt, arguments: given },
      { deadline, onProgress: shownProgress(core, request.onProgress) },
    ),
  );
  const shown =
    request.present === false
      ? nothingShown
      : await presentBlocks(core, promptBlocks(got.messages), {
          label: `${definition.name} ${prompt}`,
          asker: request,
        });
  return { prompt, ...withoutSecrets(core, got), shown };
}
