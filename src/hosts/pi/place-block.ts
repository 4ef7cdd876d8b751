/** Where the text about servers stands in Pi's prompt. */
import type { TurnBlock } from './bridge.ts';
import type { BeforeAgentStart, TurnChange } from './pi.ts';

const sectionName = 'mcp_bridge';

/**
 * Puts the block into the prompt of a turn: as a section where Pi has sections, since a prompt that is replaced loses what others
 * change of it later; else after what there is. What changed since the turn before is said in a message.
 */
export function placeBlock({ text, changes }: TurnBlock, event: BeforeAgentStart): TurnChange | undefined {
  const change: TurnChange = {};
  const inside = withoutTag(text);
  const sections = event.systemPromptOptions?.sections;
  if (sections !== undefined) {
    if (inside === '') delete sections[sectionName];
    else sections[sectionName] = inside;
  } else if (inside !== '') {
    change.systemPrompt = `${event.systemPrompt}\n\n<${sectionName}>\n${inside}\n</${sectionName}>`;
  }
  if (changes.length > 0) {
    change.message = {
      customType: 'mcp-bridge',
      // Pi puts it behind the prompt, in the user's name.
      content: `Not from the user, whose message is the one before: since the last turn what the system prompt says of MCP servers has changed (${changes.join('; ')}).`,
      display: true,
    };
  }
  return change.message === undefined && change.systemPrompt === undefined ? undefined : change;
}

/** What servers say of themselves must not end the section. */
function withoutTag(text: string): string {
  return text.replaceAll(/<(\/?)(?=mcp_bridge)/gi, '<$1 ');
}
