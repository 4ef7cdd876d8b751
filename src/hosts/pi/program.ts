/** How a person runs our commands in Pi. */
import type { Program } from '../../base/index.ts';

/** What a session has a use for; the rest needs a terminal, or belongs to a shell. */
const commands = [
  'add',
  'sync',
  'remove',
  'list',
  'show',
  'status',
  'validate',
  'reload',
  'approve',
  'revoke',
  'search',
  'context',
  'doctor',
  'login',
  'logout',
  'import',
] as const;

export const piProgram: Program = {
  name: '/mcp-bridge',
  inside: { commands: new Set(commands), elsewhere: 'trestle --home pi' },
};
