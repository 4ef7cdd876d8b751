/** From what a server tells to what the registry holds: the meta record, and what is odd about the texts. */
import type { Definition } from '../../config/index.ts';
import type { LiveCatalogue, ServerMeta } from '../../registry/index.ts';
import type { SessionInfo } from '../../session/index.ts';
import type { Catalogue } from './catalogue.ts';
import { hiddenTexts } from './hidden-text.ts';
import { recordedTransport } from './recorded-transport.ts';

/** What meta.json says of a definition, whatever the server says. `redact` replaces known secrets. */
export function recordedDefinition(
  definition: Definition,
  redact: (text: string) => string,
): Pick<ServerMeta, 'transport' | 'auth' | 'lifecycle'> {
  return {
    transport: recordedTransport(definition.transport, redact),
    auth: { kind: definition.authKind },
    lifecycle: {
      mode: definition.lifecycle,
      idleTimeoutMinutes: definition.idleMinutes ?? 0,
      requestTimeoutMs: definition.timeoutMs ?? 0,
    },
  };
}

/** A server's meta.json but for its stamp. `redact` replaces known secrets. */
export function recordedMeta(
  definition: Definition,
  info: SessionInfo,
  redact: (text: string) => string,
): LiveCatalogue['meta'] {
  const { scope, file } = definition.source;
  return {
    name: definition.registryName,
    description: definition.description ?? info.serverInfo?.title ?? '',
    instructions: info.instructions ?? '',
    ...(scope === 'project' && file !== undefined ? { project: file } : {}),
    ...recordedDefinition(definition, redact),
    capabilities: info.capabilities,
  };
}

/** Characters in the texts of a server that are removed where they are shown; one line a text. */
export function textFindings(info: SessionInfo, catalogue: Catalogue): readonly string[] {
  const said = { ...catalogue, instructions: info.instructions };
  return hiddenTexts(said).map(
    ({ subject, what }) => `The ${subject} holds ${what}; they are removed where it is shown.`,
  );
}
