/** The names that a command may be given, from configuration and registry. */
import { TrestleError } from '../base/index.ts';
import type { ConfigView } from '../config/index.ts';
import { writableName } from '../policy/index.ts';
import type { IndexedServer } from '../registry/index.ts';
import { registeredServers, registryNameIn, type Runtime } from '../runtime/index.ts';

/** Every name that a command may be given: configured servers, broken entries, and those only the registry knows. */
export function knownServers(runtime: Runtime): readonly string[] {
  const configured = configuredServers(runtime);
  const stored = runtime.registry.servers().value;
  const registered = registeredServers(stored, { servers: readableConfig(runtime)?.servers ?? new Map() }).keys();
  return [...new Set([...configured, ...registered])].sort();
}

/** A server that has a tool of exactly this name. */
export function serverWith(runtime: Runtime, tool: string): string | undefined {
  const servers = readableConfig(runtime)?.servers ?? new Map();
  const registered = registeredServers(runtime.registry.servers().value, { servers });
  return [...registered].find(([, { tools }]) => tools.some(({ name }) => name === tool))?.[0];
}

/** The name of a server's folder in the registry. */
export function folderOf(runtime: Runtime, server: string): string {
  return registryNameIn(readableConfig(runtime)?.servers ?? new Map(), server);
}

function configuredServers(runtime: Runtime): readonly string[] {
  const config = readableConfig(runtime);
  return config === undefined ? [] : [...config.servers.keys(), ...config.waiting.keys(), ...config.broken.keys()];
}

/** A configuration that cannot be read has its own error; here it only means that no name comes from it. */
export function readableConfig(runtime: Runtime): ConfigView | undefined {
  try {
    return runtime.config();
  } catch (thrown) {
    if (thrown instanceof TrestleError) return undefined;
    throw thrown;
  }
}

/** Names of a server's tools as the registry knows them. */
export function toolNames(runtime: Runtime, server: string): readonly string[] {
  return registeredTools(runtime, server).map(({ name }) => name);
}

/** The same as they can be typed. */
export function typedToolNames(runtime: Runtime, server: string): readonly string[] {
  return registeredTools(runtime, server).map(writableName);
}

function registeredTools(runtime: Runtime, server: string): IndexedServer['tools'] {
  return runtime.registry.server(folderOf(runtime, server)).value?.tools ?? [];
}
