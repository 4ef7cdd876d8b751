/** Which definition a request means. No network, nothing started. */
import { limits, nearest, TrestleError } from '../../base/index.ts';
import { adHocDefinition, type Definition } from '../../config/index.ts';
import type { Asker } from '../asker.ts';
import { permit } from '../consent/permission.ts';
import type { Core } from '../core.ts';
import { registeredDefinition } from './registered-definition.ts';

/**
 * The usable definition a name stands for, or the given one. Throws what stands against using it: `approval_needed` where nobody has
 * approved what a project asks for.
 */
export function findServer(core: Core, server: string | Definition, asker: Asker = {}): Definition {
  const definition = findServerToAsk(core, server, asker);
  permit(core, { ...asker, definition, need: { kind: 'connect' } });
  return definition;
}

/**
 * The same, of which nobody may have approved that it is started or connected to: for whoever asks `permit` before anything is done
 * with it, or does nothing with it.
 */
export function findServerToAsk(core: Core, server: string | Definition, asker: Asker = {}): Definition {
  if (typeof server !== 'string') return usable(server);
  const lately = core.config(asker, limits.callLookMs).servers.get(server);
  if (lately?.enabled === true) return usable(lately);
  // Who adds or enables a server calls it at once: what is not there is looked for now.
  const { servers, waiting, broken } = core.config(asker);
  const definition = servers.get(server) ?? waiting.get(server)?.definition;
  if (definition !== undefined) return usable(definition);
  const problem = broken.get(server);
  if (problem !== undefined) throw problem;
  const registered = registeredDefinition(core, server);
  if (registered !== undefined) return registered;
  throw unknownServer(core, server, asker);
}

/** What a person means who approves a server: first what waits for it. Throws as {@link findServerToAsk} does. */
export function findServerToApprove(core: Core, server: string, asker: Asker): Definition {
  const waiting = core.config(asker).waiting.get(server);
  return waiting === undefined ? findServerToAsk(core, server, asker) : usable(waiting.definition);
}

/**
 * What a person signs out of: it may be disabled, gone from the configuration though the registry still knows it, or named by its URL.
 * Nothing is connected to by it. Throws `unknown_server`, and `approval_needed` for what a project asks for.
 */
export function findServerToSignOut(core: Core, server: string | Definition, asker: Asker): Definition {
  if (typeof server !== 'string') return server;
  const { servers, waiting } = core.config(asker);
  const configured = servers.get(server) ?? waiting.get(server)?.definition;
  if (configured === undefined && /^https?:/i.test(server)) return adHocDefinition({ url: server });
  const definition = configured ?? findServerToAsk(core, server, asker);
  // A project may name any URL: nobody is signed out of it by what nobody has approved.
  const need = { kind: 'connect' } as const;
  if (definition.source.shape !== 'registry') permit(core, { ...asker, definition, need });
  return definition;
}

function usable(definition: Definition): Definition {
  const { name, source, enabled } = definition;
  const where = source.file === undefined ? '' : ` in ${source.file}`;
  if (!enabled) {
    throw new TrestleError({
      code: 'disabled',
      message: `${name} is disabled${where}.`,
      hint: 'Remove "enabled": false (or "disabled": true) from its entry to use it.',
      server: name,
    });
  }
  return definition;
}

function unknownServer(core: Core, server: string, asker: Asker): TrestleError {
  const { servers, waiting, broken } = core.config(asker);
  const known = [...new Set([...servers.keys(), ...waiting.keys(), ...broken.keys()])];
  const near = nearest(server, known, limits.nearestNames);
  return new TrestleError({
    code: 'unknown_server',
    message: `There is no server named ${JSON.stringify(server)}.`,
    hint: serverHint(known, near),
    details: { nearest: near, ...(known.length <= limits.namesInHint ? { configured: known } : {}) },
  });
}

function serverHint(known: readonly string[], near: readonly string[]): string {
  if (known.length === 0) return 'No server is configured; add one with "trestle add NAME -- COMMAND".';
  const meant = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  return known.length <= limits.namesInHint
    ? `${meant}Configured: ${known.join(', ')}.`
    : `${meant}"trestle list" names all of them.`;
}
