/** The tools of a server as it lists them now; asked once more when its session was lost. */
import { TrestleError } from '../../base/index.ts';
import type { SessionInfo } from '../../session/index.ts';
import { permit } from '../consent/permission.ts';
import { type Core, shownText, withoutSecrets } from '../core.ts';
import { withoutDenied } from '../servers/denied-tools.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import type { ToolList } from './server-contents.ts';
import type { ServerRequest } from './server-request.ts';
import { withSession } from './with-session.ts';

/** Lists tools, all pages. Rejects with a TrestleError. */
export async function listTools(core: Core, request: ServerRequest): Promise<ToolList> {
  const definition = findServerToAsk(core, request.server, request);
  permit(core, { ...request, definition, need: { kind: 'use', what: 'list tools' } });
  const work = { definition, request, subject: `${definition.name}: list tools`, repeatable: true };
  return withSession(core, work, async (session, deadline) => {
    requireTools(session.info);
    const { items, problems } = await session.listTools({ deadline });
    return {
      info: withoutSecrets(core, session.info),
      tools: withoutDenied(definition, items).map((item) => withoutSecrets(core, item)),
      problems: problems.map((problem) => shownText(core, problem)),
    };
  });
}

/** Throws `capability_missing` for a server that does not declare tools. */
export function requireTools({ server, capabilities }: SessionInfo): void {
  if (capabilities['tools'] !== undefined) return;
  const offered = Object.keys(capabilities);
  throw new TrestleError({
    code: 'capability_missing',
    message: `Server "${server}" offers no tools: it does not declare the capability.`,
    hint: offered.length === 0 ? 'It declares no capabilities at all.' : `It declares: ${offered.join(', ')}.`,
    server,
    execution: 'not-sent',
  });
}
