/** Every format, in the order in which they are looked for: what stands first wins a name that nothing else decides. */
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import type { Format, FormatId } from './format.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

export const formats: Readonly<Record<FormatId, Format>> = {
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  cursor,
  vscode,
  windsurf,
  zed,
  codex,
  gemini,
  opencode,
  goose,
  pi,
};
