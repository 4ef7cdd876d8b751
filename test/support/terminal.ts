/** A program in a real terminal: a tmux of its own, typed into and read from. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { tempFolder } from './temp-folder.ts';

/** Why tests in a terminal cannot run here, or undefined. */
export const noTerminal =
  spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed, so there is no terminal';

export interface Terminal {
  /** What stands on the screen. */
  screen(): string;
  /** Waits until the screen shows `text`. */
  shows(text: string | RegExp): Promise<void>;
  /** Types text as it is. */
  type(text: string): void;
  /** Presses a key by its name in tmux (`Enter`, `Tab`, `C-c`). */
  press(...keys: readonly string[]): void;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default 120. */
  readonly columns?: number;
}

/** A terminal in which `command` runs. */
export function openTerminal(command: readonly string[], { cwd, env, columns = 120 }: TerminalOptions): Terminal {
  const socket = join(tempFolder(), 'tmux');
  const tmux = (...words: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      env: { ...env, TERM: 'xterm-256color' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`tmux ${words[0]}: ${stderr}`);
    return stdout;
  };
  tmux('new-session', '-d', '-x', String(columns), '-y', '40', '-c', cwd, ...command);
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const screen = (): string => tmux('capture-pane', '-p');
  return {
    screen,
    async shows(text) {
      let last = '';
      const found = (): boolean => {
        last = screen();
        return typeof text === 'string' ? last.includes(text) : text.test(last);
      };
      await eventually(found, `${String(text)} on the screen`).catch((error: unknown) => {
        throw new Error(`${String(error)}:\n${last}`);
      });
    },
    type: (text) => void tmux('send-keys', '-l', text),
    press: (...keys) => void tmux('send-keys', ...keys),
  };
}
