/** `login`: a person signs in to a server. */
import { TrestleError } from '../../base/index.ts';
import { hasValue, type Outcome, type SignInRequest, type SignInValue, type SyncValue } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import type { Dialogs } from '../dialogs.ts';
import { usage } from '../flags.ts';
import { cell } from '../render/cell.ts';
import { renderChanges } from '../render/changes.ts';
import { failureJson, renderFailure } from '../render/failure.ts';
import { renderJson } from '../render/json.ts';
import { printFailed, syncExitCode } from '../report.ts';
import { withProgress } from '../request.ts';
import { withSuggestion } from '../suggest.ts';
import type { Surroundings } from '../surroundings.ts';
import { refuseFurther } from '../target.ts';

export const login = defineCommand({
  name: 'login',
  summary: 'Signs in to a server in the browser, keeps that, and reads the tools of the server into the registry.',
  usage: ['login <server> [--account NAME] [--scope SCOPES] [--no-browser]'],
  flags: {
    account: { kind: 'text', value: 'NAME', doc: 'Which of several sign-ins to the same server this is.' },
    scope: { kind: 'text', value: 'SCOPES', doc: 'Ask for these too, separated by blanks.' },
    'no-browser': { kind: 'switch', doc: 'Open nothing: print the address, and take the one where a browser ended.' },
  },
  words: ['server'],
  json: 'Print { server, signIn, sync }; after a failed sync { server, signIn, error, kind, execution }.',
  details: [
    "The page is opened with the program that BROWSER names, else with the system's own. Where the browser runs on\nanother machine its last page cannot be loaded: paste the address of that page, and press Enter.",
    'A server whose entry says how it is signed in to without a person ("auth") needs no browser: the command tries it.',
  ],
  examples: ['login docs', 'login docs --account work', 'login docs --no-browser'],
  async run(context, words) {
    const [name, ...others] = words.words;
    if (name === undefined) throw usage("The server's name is missing.", 'For example: trestle login docs');
    refuseFurther(others, 'the server');
    const { account, scope } = words.flags;
    const runtime = context.runtime();
    const target = { kind: 'named', name: name.text, at: name.at } as const;
    const signedIn = await runtime.signIn({
      server: name.text,
      account,
      scopes: scope,
      person: personAt(context, words.flags['no-browser']),
      signal: context.signal,
    });
    if (!hasValue(signedIn)) {
      return printFailed(withSuggestion(signedIn, { runtime, typed: context.typed, target }), context.output);
    }
    const synced = await withProgress(
      context,
      { target, limits: { timeout: undefined, 'max-total': undefined } },
      (request) => runtime.sync(request),
    );
    await print(context, signedIn.value, synced);
    return syncExitCode(synced);
  },
});

/** Who sits here: a browser where one can be opened, and in any case the address to open by hand. */
function personAt(context: CommandContext, noBrowser: boolean): SignInRequest['person'] {
  const { output, surroundings, dialogs } = context;
  const { env, platform } = surroundings;
  const open = async (url: string): Promise<boolean> => {
    if (noBrowser) return false;
    const { openPage } = await import('../../wire/index.ts');
    return openPage(url, { env, platform });
  };
  const whatToOpen = async (url: string): Promise<{ readonly isOpened: boolean; readonly text: string }> => {
    const isOpened = await open(url);
    return { isOpened, text: isOpened ? 'Sign in in the browser; if no page has opened, open:' : 'To sign in, open:' };
  };
  if (dialogs !== undefined) return personAtDialog(dialogs, whatToOpen);
  return {
    async showPage(url) {
      const { isOpened, text } = await whatToOpen(url);
      output.error(`${text}\n\n  ${url}\n\n`);
      if (isOpened) return;
      output.error(
        'The answer is waited for here. If that browser is on another machine, paste the address where it ended:\n',
      );
    },
    pasted: (signal) => pastedLine(surroundings, signal),
  };
}

/** The dialog is there while the answer is waited for: who closes it wants no sign-in. */
function personAtDialog(
  dialogs: Dialogs,
  whatToOpen: (url: string) => Promise<{ readonly text: string }>,
): SignInRequest['person'] {
  let about: readonly string[] = [];
  return {
    async showPage(url) {
      const { text } = await whatToOpen(url);
      about = [
        text,
        '',
        url,
        '',
        'The answer is waited for. If that browser is on another machine, paste the address where it ended.',
      ];
    },
    async pasted(signal) {
      for (;;) {
        const line = await dialogs.enter(about, signal);
        if (line === undefined) throw new TrestleError({ code: 'cancelled', message: 'The sign-in was given up.' });
        if (line.trim() !== '') return line;
      }
    },
  };
}

/** The first line that holds something. An input that ends without one says nothing: the browser may still bring the answer. */
async function pastedLine(surroundings: Surroundings, signal: AbortSignal): Promise<string> {
  for (;;) {
    const line = await surroundings.readLine(signal);
    if (line === undefined) return await new Promise(() => {});
    if (line.trim() !== '') return line;
  }
}

async function print({ output }: CommandContext, signIn: SignInValue, synced: Outcome<SyncValue>): Promise<void> {
  const { server } = signIn;
  if (output.json) {
    const outcome = hasValue(synced) ? { sync: synced.value, notes: synced.notes } : failureJson(synced, output);
    return await output.write(renderJson({ server, signIn, ...outcome }));
  }
  await output.lines(linesOf(signIn));
  if (!hasValue(synced)) return output.error(renderFailure(synced.failure, output));
  await output.lines(renderChanges(synced.value, output.style));
  for (const note of synced.notes) output.note(note);
}

function linesOf({ server, account, issuer, scopes, expiresAt, renews, place }: SignInValue): readonly string[] {
  const as = account === 'default' ? '' : ` as ${cell(account)}`;
  const until = expiresAt === undefined ? 'until the server refuses it' : `until ${expiresAt}`;
  return [
    `Signed in to ${server}${as} at ${cell(issuer)}, ${renews ? 'renewed by itself' : until}.`,
    ...(scopes === undefined ? [] : [`Scopes: ${cell(scopes)}`]),
    `Kept in ${place}.`,
  ];
}
