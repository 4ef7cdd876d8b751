import { plural } from '../../base/index.ts';

/** `6 tools (8 denied)`: how many may be called, and how many there are besides. */
export function toolCount(tools: number, denied: number): string {
  return denied === 0 ? plural(tools, 'tool') : `${plural(tools, 'tool')} (${denied} denied)`;
}
