/** Lists and reads of resources: asked of the live server, once more when its session was lost. */
import { TrestleError } from '../../base/index.ts';
import { type Presented, resourceBlocks } from '../../policy/index.ts';
import { permit } from '../consent/permission.ts';
import { type Core, shownProgress, shownText, withoutSecrets } from '../core.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import { nothingShown, presentBlocks } from './finalise.ts';
import type { ReadRequest, ReadValue, ResourceLists } from './server-contents.ts';
import type { ServerRequest } from './server-request.ts';
import { withSession } from './with-session.ts';

/** Reads a resource. Rejects with a TrestleError. */
export async function readResource(core: Core, request: ReadRequest): Promise<ReadValue> {
  const definition = findServerToAsk(core, request.server, request);
  const { uri } = request;
  if (uri === '') {
    throw new TrestleError({
      code: 'invalid_arguments',
      message: 'The uri of the resource is empty.',
      hint: `Take one from the list of resources of ${definition.name}.`,
      server: definition.name,
    });
  }
  permit(core, { ...request, definition, need: { kind: 'use', what: `read ${uri}` } });
  const work = { definition, request, subject: `${definition.name}: read ${uri}`, repeatable: true };
  const contents = await withSession(core, work, (session, deadline) =>
    session.readResource(uri, { deadline, onProgress: shownProgress(core, request.onProgress) }),
  );
  let shown: Presented = nothingShown;
  if (request.present !== false)
    shown = await presentBlocks(core, resourceBlocks(contents), {
      label: `${definition.name} ${uri}`,
      asker: request,
    });
  return { uri, contents, shown };
}

/** Lists resources and resource templates, all pages. Rejects with a TrestleError. */
export async function listResources(core: Core, request: ServerRequest): Promise<ResourceLists> {
  const definition = findServerToAsk(core, request.server, request);
  permit(core, { ...request, definition, need: { kind: 'use', what: 'list resources' } });
  const work = { definition, request, subject: `${definition.name}: list resources`, repeatable: true };
  return withSession(core, work, async (session, deadline) => {
    const resources = await session.listResources({ deadline });
    const templates = await session.listResourceTemplates({ deadline });
    return {
      resources: resources.items.map((item) => withoutSecrets(core, item)),
      resourceTemplates: templates.items.map((item) => withoutSecrets(core, item)),
      problems: [...resources.problems, ...templates.problems].map((problem) => shownText(core, problem)),
    };
  });
}
