/** `login`: a person signs in to a server. */
import { hasValue, type Outcome, type SignInValue, type SyncValue } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { usage } from '../flags.ts';
import { cell } from '../render/cell.ts';
import { renderChanges } from '../render/changes.ts';
import { failureJson, renderFailure } from '../render/failure.ts';
import { renderJson } from '../render/json.ts';
import { printFailed, syncExitCode } from '../report.ts';
import { withProgress } from '../request.ts';
import { signInPerson } from '../sign-in-person.ts';
import { withSuggestion } from '../suggest.ts';
import { refuseFurther } from '../target.ts';
import { commandLine } from '../typed-command.ts';

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
    if (/^https?:/i.test(name.text)) {
      const hint = `Add it under a name: ${commandLine(context.typed, 'add', 'NAME', '--url', name.text)}`;
      throw usage('A sign-in is kept for a server that has a name, and this is an address.', hint);
    }
    const { account, scope } = words.flags;
    const runtime = context.runtime();
    const target = { kind: 'named', name: name.text, at: name.at } as const;
    const signedIn = await runtime.signIn({
      server: name.text,
      account,
      scopes: scope,
      person: signInPerson({ ...context, noBrowser: words.flags['no-browser'] }),
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
