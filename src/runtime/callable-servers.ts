/** Which servers' tools are told of and found: what cannot be called would be shown in vain. */
import type { ConfigView } from '../config/index.ts';

/** Why a server cannot be called, in one clause. */
export function whyNotCallable(name: string, { servers, waiting, broken }: ConfigView): string | undefined {
  if (broken.has(name)) return 'its entry is broken: trestle status';
  const definition = servers.get(name);
  if (definition === undefined && waiting.has(name)) return `nobody has approved it: trestle approve ${name}`;
  if (definition === undefined) return 'it stands in no configuration';
  return definition.enabled ? undefined : 'it is disabled';
}

/** The names of all that can be called, sorted. */
export function callableServers(config: ConfigView): readonly string[] {
  return [...config.servers.keys()].filter((name) => whyNotCallable(name, config) === undefined).sort();
}
