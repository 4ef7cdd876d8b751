/** The real Pi in a real terminal. */
import { extensionPath, type PiPlace, releases } from './pi-place.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export { noTerminal } from './terminal.ts';

/** Pi with the built extension in a terminal of 120 columns. */
export function openPiTerminal(
  place: PiPlace,
  args: readonly string[] = ['--no-session', '-e', extensionPath],
): Terminal {
  return openTerminal([process.execPath, releases.newest, ...args], place);
}
