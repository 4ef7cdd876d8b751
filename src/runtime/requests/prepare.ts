/** The first part of a call: whatever can be known from files alone. No network, nothing started. */
import { asTrestleError, type JsonObject } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';
import type { Asker } from '../asker.ts';
import { type Core, shownFailure } from '../core.ts';
import type { Failed } from '../outcome.ts';
import { refuseDenied } from '../servers/denied-tools.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import type { CallRequest } from './call-request.ts';
import { storedTool } from './find-tool.ts';
import { fitArguments, readArguments } from './fit-arguments.ts';

/** A call that nothing known stands against. */
export interface Plan {
  readonly definition: Definition;
  readonly args: JsonObject;
  /** Undefined when nothing is known of the server's tools yet: they are listed first. */
  readonly tool: ToolDescriptor | undefined;
  readonly notes: readonly string[];
}

/** What stands against a call before anything is started. */
export function refusalOf(core: Core, request: CallRequest): Failed | undefined {
  try {
    prepare(core, request);
    return undefined;
  } catch (error) {
    return shownFailure(core, asTrestleError(error));
  }
}

/** What stands against any request to a server before anything is started. */
export function serverRefusal(core: Core, server: string | Definition, asker?: Asker): Failed | undefined {
  try {
    findServerToAsk(core, server, asker);
    return undefined;
  } catch (error) {
    return shownFailure(core, asTrestleError(error));
  }
}

/** The plan of a call. Throws what stands against it. */
export function prepare(core: Core, request: CallRequest): Plan {
  const definition = findServerToAsk(core, request.server, request);
  const args = readArguments(request.arguments, definition.name);
  const tool = isStored(request) ? storedTool(core, definition, { tool: request.tool, asker: request }) : undefined;
  refuseDenied(definition, tool?.name ?? request.tool);
  const notes = tool === undefined ? [] : fitArguments(definition.name, tool, args);
  return { definition, args, tool, notes };
}

/** Whether the registry says what the tool is; of a server that is configured nowhere it says nothing. */
export function isStored(request: CallRequest): boolean {
  return typeof request.server === 'string' && request.checkedBy !== 'live';
}
