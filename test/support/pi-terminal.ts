/** The real Pi in a real terminal: a tmux of its own, typed into and read from. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { extensionPath, type PiPlace, releases } from './pi-place.ts';
import { tempFolder } from './temp-folder.ts';

/** Why the tests in a terminal cannot run here, or undefined. */
export const noTerminal =
  spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed, so there is no terminal to try Pi in';

export interface PiTerminal {
  /** What stands on the screen. */
  screen(): string;
  /** Waits until the screen shows `text`. */
  shows(text: string | RegExp): Promise<void>;
  /** Types text as it is. */
  type(text: string): void;
  /** Presses a key by its name in tmux (`Enter`, `Tab`, `C-c`). */
  press(...keys: readonly string[]): void;
}

/** Pi with the built extension in a terminal of 120 columns. */
export function openPiTerminal(
  place: PiPlace,
  args: readonly string[] = ['--no-session', '-e', extensionPath],
): PiTerminal {
  const socket = join(tempFolder(), 'tmux');
  const tmux = (...words: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      env: { ...place.env, TERM: 'xterm-256color' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`tmux ${words[0]}: ${stderr}`);
    return stdout;
  };
  const command = [process.execPath, releases.newest, ...args];
  tmux('new-session', '-d', '-x', '120', '-y', '40', '-c', place.cwd, ...command);
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
      await eventually(found, 20_000, `${String(text)} on the screen`).catch((error: unknown) => {
        throw new Error(`${String(error)}:\n${last}`);
      });
    },
    type: (text) => void tmux('send-keys', '-l', text),
    press: (...keys) => void tmux('send-keys', ...keys),
  };
}
