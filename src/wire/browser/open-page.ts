/** Shows a page to the person at this machine. Only a command that a person has typed does this. */
import { spawn } from 'node:child_process';
import { TrestleError } from '../../base/index.ts';

export interface PageOpener {
  /** Of the person: BROWSER, and whether there is a screen. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/**
 * Opens an `http:` or `https:` URL with the program that BROWSER names, else with the system's own. No shell has a part in it, and the URL
 * is one argument. Resolves with whether a program was started. Throws `sign_in_failed` for any other kind of URL.
 */
export async function openPage(url: string, opener: PageOpener): Promise<boolean> {
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol)) throw noPage(target?.protocol);
  const [program, ...args] = programFor(opener);
  if (program === undefined) return false;
  // As parsed: a URL has no blanks or quotes then, whatever was given.
  return await started(program, [...args, target.href], opener.env);
}

function programFor({ env, platform }: PageOpener): readonly string[] {
  const wished = splitWords(env['BROWSER'] ?? '');
  if (wished.length > 0) return wished;
  if (platform === 'darwin') return ['/usr/bin/open'];
  if (platform === 'win32') return ['rundll32.exe', 'url.dll,FileProtocolHandler'];
  const hasScreen = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasScreen ? ['xdg-open'] : [];
}

/** Words as a shell splits them by blanks and quotes, with nothing of it expanded; `%s` for the URL, as some write, is what comes anyway. */
export function splitWords(text: string): readonly string[] {
  const words = [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_quoted, double: string | undefined, single: string | undefined) => double ?? single ?? '',
    ),
  );
  return words.filter((word) => word !== '%s');
}

function started(program: string, args: readonly string[], env: PageOpener['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', shell: false, env: { ...env } });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      // It is the person's from now on, and nobody waits for it.
      child.unref();
      resolve(true);
    });
  });
}

function noPage(protocol: string | undefined): TrestleError {
  return new TrestleError({
    code: 'sign_in_failed',
    message: `A sign-in page must be an http: or https: URL, not ${protocol ?? 'something else'}.`,
    details: { reason: 'bad_page' },
  });
}
