/** A live look at a server; nothing is stored. */
import { permit } from '../consent/permission.ts';
import { type Core, shownText, withoutSecrets } from '../core.ts';
import { withoutDenied } from '../servers/denied-tools.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import { readCatalogue } from '../sync/catalogue.ts';
import type { Inspection } from './server-contents.ts';
import type { ServerRequest } from './server-request.ts';
import { withSession } from './with-session.ts';

/** Connects and reads everything the server lists. Rejects with a TrestleError. */
export async function inspectServer(core: Core, request: ServerRequest): Promise<Inspection> {
  const definition = findServerToAsk(core, request.server, request);
  permit(core, { ...request, definition, need: { kind: 'connect' } });
  const work = { definition, request, subject: `${definition.name}: look`, repeatable: true };
  const said = <T extends object>(items: readonly T[] | undefined): readonly T[] =>
    (items ?? []).map((item) => withoutSecrets(core, item));
  return withSession(core, work, async (session, deadline) => {
    const { tools, resources, resourceTemplates, prompts, problems } = await readCatalogue(session, deadline);
    return {
      info: withoutSecrets(core, session.info),
      tools: said(tools === undefined ? tools : withoutDenied(definition, tools)) as Inspection['tools'],
      resources: said(resources),
      resourceTemplates: said(resourceTemplates),
      prompts: said(prompts),
      problems: problems.map((problem) => shownText(core, problem)),
      counters: session.counters(),
    };
  });
}
