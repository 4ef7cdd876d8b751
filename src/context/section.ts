/** One server's part of the block, on any rung. Everything that came from the server is on one line, cleaned and cut. */
import { limits, plural } from '../base/index.ts';
import { cleanLine, cleanText, writableName } from '../policy/index.ts';
import type { Place, Rung } from './ladder.ts';
import type { BlockSettings, ServerOffer, ToolOffer } from './offer.ts';

/** Writes a server's part; what it needs of the tools is cleaned once. */
export interface SectionWriter {
  readonly offer: ServerOffer;
  /** With heading, without an empty line at its end. */
  section(place: Place): string;
  /** Its line under one root. */
  rootLine(names: number): string;
}

export function createSectionWriter(offer: ServerOffer, { readsFiles }: BlockSettings): SectionWriter {
  const tools = [...offer.tools].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const toolLines = new Map<Rung, string>();
  const names = tools.map(writableName);
  const description = cleanLine(offer.description, limits.blockDescriptionCharacters);
  const instructions = cleanLine(offer.instructions, limits.blockInstructionsCharacters);
  const resources = offer.resources > 0 ? `${plural(offer.resources, 'resource')} (ListMcpResources)` : undefined;

  const toolList = (rung: Rung): string => {
    let lines = toolLines.get(rung);
    if (lines === undefined) {
      lines =
        rung === 'names'
          ? names.join(', ')
          : tools.map((tool, index) => toolLine(tool, { shown: names[index] ?? tool.key, rung })).join('\n');
      toolLines.set(rung, lines);
    }
    return lines;
  };
  const countText = (listed: number): string => {
    const count = plural(tools.length, 'tool');
    if (listed === 0) return count;
    const more = tools.length - listed;
    return `${count}: ${[...names.slice(0, listed), ...(more > 0 ? [`+${more} more`] : [])].join(', ')}`;
  };

  return {
    offer: { ...offer, tools },
    section({ rung, names: listed }) {
      const lines = [`## ${offer.name}`];
      if (description !== '') lines.push(description);
      // At counts every server is told of, and nothing more.
      if (instructions !== '' && rung !== 'counts') lines.push(`> ${instructions}`);
      if (readsFiles) lines.push(`folder: ${offer.folder}`);
      if (resources !== undefined) lines.push(resources);
      if (tools.length === 0) lines.push('no tools');
      else if (rung === 'counts') lines.push(countText(listed));
      else if (rung === 'names') lines.push(`${plural(tools.length, 'tool')}: ${toolList(rung)}`);
      else lines.push(`${plural(tools.length, 'tool')}:`, toolList(rung));
      return lines.join('\n');
    },
    rootLine: (listed) => `- ${offer.name}, ${countText(listed)}`,
  };
}

function toolLine(tool: ToolOffer, { shown, rung }: { readonly shown: string; readonly rung: Rung }): string {
  if (rung === 'schemas' && tool.full !== undefined) {
    const said = cleanLine(tool.full.description, limits.descriptionCharacters);
    // Line ends stand as \n inside the JSON; what is removed here was invisible.
    return `- ${shown}${said === '' ? '' : `: ${said}`}\n  ${cleanText(tool.full.schemaJson)}`;
  }
  const said = cleanLine(tool.description, rung === '40' ? 40 : 80);
  return said === '' ? `- ${shown}` : `- ${shown}: ${said}`;
}
