/** Every value in force for a server, and where it came from. */
import { limits } from '../base/index.ts';
import { definedIn, type Definition } from '../config/index.ts';
import type { IndexedServer } from '../registry/index.ts';
import { recordedTransport, type Runtime } from '../runtime/index.ts';

/** A value with its origin: a file (and the place in it), a variable, or `default`. */
export interface OriginatedValue {
  readonly value: unknown;
  readonly from: string;
  /** JSON Pointer of the entry in the file. */
  readonly at?: string;
}

/** The values of a configured server. Literal secrets are masked; `${…}` references stay as written. */
export function definitionValues(definition: Definition, runtime: Runtime): Readonly<Record<string, OriginatedValue>> {
  const { source } = definition;
  const from = definedIn(source);
  const at = source.file === undefined ? {} : { at: `/${source.shape}/${pointerPart(definition.name)}` };
  const values: Record<string, OriginatedValue> = {};
  const put = (name: string, value: unknown, written: boolean): void => {
    if (value === undefined) return;
    values[name] = written && from !== undefined ? { value, from, ...at } : { value, from: 'default' };
  };
  const { kind, ...reached } = recordedTransport(definition.transport, (text) => runtime.redact(text));
  for (const [name, value] of Object.entries(reached)) put(name, value, !isEmpty(value));
  if (definition.transport.kind === 'http') {
    const { choice, redirects } = definition.transport;
    put('transport', choice, choice !== 'auto');
    put('redirects', redirects, redirects !== 'same-origin');
  } else {
    const { framing } = definition.transport;
    put('framing', framing, framing !== 'auto');
  }
  put('kind', kind, true);
  put('enabled', definition.enabled, !definition.enabled);
  put('description', definition.description, true);
  const { requestTimeoutMs, idleMinutes } = runtime.settings();
  const fallback = (name: string, value: number, usual: number): void => {
    values[name] = { value, from: value === usual ? 'default' : runtime.places.settingsFile };
  };
  if (definition.timeoutMs === undefined) {
    fallback('timeoutSeconds', (requestTimeoutMs ?? limits.requestIdleMs) / 1000, limits.requestIdleMs / 1000);
  } else put('timeoutSeconds', definition.timeoutMs / 1000, true);
  put('lifecycle', definition.lifecycle, definition.lifecycle !== 'lazy');
  if (definition.idleMinutes === undefined) fallback('idleTimeoutMinutes', idleMinutes, limits.idleMinutes);
  else put('idleTimeoutMinutes', definition.idleMinutes, true);
  put('sharing', definition.sharing, definition.sharing !== 'scope');
  put('protocol', definition.protocol, definition.protocol !== 'auto');
  return values;
}

/** What the registry adds to it. */
export function registryValues(server: IndexedServer, folder: string): Readonly<Record<string, OriginatedValue>> {
  const from = folder;
  return {
    tools: { value: server.toolCount, from },
    resources: { value: server.resources, from },
    resourceTemplates: { value: server.resourceTemplates, from },
    prompts: { value: server.prompts, from },
    syncedAt: { value: server.syncedAt, from },
    ...(server.description === '' ? {} : { serverDescription: { value: server.description, from } }),
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
