/** Which definition a request means. No network, nothing started. */
import { limits, nearest, serverNameProblem, TrestleError } from '../base/index.ts';
import type { Definition } from '../config/index.ts';
import type { Core } from './core.ts';

/** The usable definition a name stands for, or the given one. Throws what stands against using it. */
export function findServer(core: Core, server: string | Definition): Definition {
  if (typeof server !== 'string') return usable(server);
  const lately = core.config(limits.callLookMs).servers.get(server);
  if (lately?.enabled === true) return usable(lately);
  // Who adds or enables a server calls it at once: what is not there is looked for now.
  const { servers, broken } = core.config();
  const definition = servers.get(server);
  if (definition !== undefined) return usable(definition);
  const problem = broken.get(server);
  if (problem !== undefined) throw problem;
  if (serverNameProblem(server) === undefined && core.registry.server(server).value !== undefined)
    throw notConfigured(core, server);
  throw unknownServer(core, server);
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

function notConfigured(core: Core, server: string): TrestleError {
  return new TrestleError({
    code: 'not_configured',
    message: `${server} stands in the registry but in no configuration, so it is not connected.`,
    hint: `Configure it with "trestle add ${server} …"; its entry goes to ${core.places.serversFile}.`,
    server,
  });
}

function unknownServer(core: Core, server: string): TrestleError {
  const { servers, broken } = core.config();
  const known = [...servers.keys(), ...broken.keys()];
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
