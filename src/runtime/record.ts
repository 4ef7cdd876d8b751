/** From what a server tells to what the registry holds: the meta record, and what is odd about the texts. */
import { plural } from '../base/index.ts';
import type { Definition } from '../config/index.ts';
import { cleanLine, inspectText } from '../policy/index.ts';
import type { LiveCatalogue } from '../registry/index.ts';
import type { SessionInfo } from '../session/index.ts';
import type { Catalogue } from './catalogue.ts';
import { recordedTransport } from './recorded-transport.ts';

/** A server's meta.json but for its stamp. `redact` replaces known secrets. */
export function recordedMeta(
  definition: Definition,
  info: SessionInfo,
  redact: (text: string) => string,
): LiveCatalogue['meta'] {
  return {
    name: definition.name,
    description: definition.description ?? info.serverInfo?.title ?? '',
    instructions: info.instructions ?? '',
    transport: recordedTransport(definition.transport, redact),
    auth: { kind: definition.authKind },
    lifecycle: {
      mode: definition.lifecycle,
      idleTimeoutMinutes: definition.idleMinutes ?? 0,
      requestTimeoutMs: definition.timeoutMs ?? 0,
    },
    capabilities: info.capabilities,
  };
}

/** Characters in names, descriptions and instructions that are removed where the text is shown; one line a text. */
export function textFindings(info: SessionInfo, catalogue: Catalogue): readonly string[] {
  const findings: string[] = [];
  const look = (subject: string, text: unknown): void => {
    if (typeof text !== 'string') return;
    const found = inspectText(text).map(({ kind, count }) => plural(count, characters[kind] ?? kind));
    if (found.length > 0) findings.push(`${subject} holds ${found.join(', ')}; they are removed where it is shown.`);
  };
  look('The text of the instructions', info.instructions);
  const lists = [
    ['tool', catalogue.tools],
    ['resource', catalogue.resources],
    ['resource template', catalogue.resourceTemplates],
    ['prompt', catalogue.prompts],
  ] as const;
  for (const [kind, items] of lists) {
    for (const item of items ?? []) {
      const name = `${kind} "${cleanLine(nameOf(item), shownNameCharacters)}"`;
      look(`The name of ${name}`, item['name']);
      look(`The description of ${name}`, item['description']);
    }
  }
  return findings;
}

const shownNameCharacters = 80;

const characters: Readonly<Record<string, string>> = {
  'escape-sequence': 'terminal escape sequence',
  control: 'control character',
  'zero-width': 'zero-width character',
  bidi: 'bidirectional override',
  'tag-character': 'tag character',
};

function nameOf(item: Readonly<Record<string, unknown>>): string {
  const name = item['name'] ?? item['uri'] ?? item['uriTemplate'];
  return typeof name === 'string' ? name : '?';
}
