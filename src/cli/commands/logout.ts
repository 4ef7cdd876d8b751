/** `logout`: a person's sign-ins to a server end. */
import { hasValue, type SignOutValue } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../flags.ts';
import { cell } from '../render/cell.ts';
import { renderJson } from '../render/json.ts';
import { printFailed } from '../report.ts';
import { withSuggestion } from '../suggest.ts';
import { refuseFurther } from '../target.ts';

export const logout = defineCommand({
  name: 'logout',
  summary: 'Forgets the sign-ins to a server, and withdraws them where the server offers that.',
  usage: ['logout <server|url> [--account NAME]'],
  flags: { account: { kind: 'text', value: 'NAME', doc: 'Only this one of several; default: all.' } },
  words: ['server'],
  json: 'Print { server, accounts: [{ account, revoked? }], left }; revoked is absent where the server offers no way to withdraw, left are other accounts that are signed in.',
  details: [
    'A server that is disabled is signed out of as well, and one that stands in no configuration any more by its URL.',
  ],
  examples: ['logout docs', 'logout docs --account work', 'logout https://docs.example.com/mcp'],
  async run(context, words) {
    const [name, ...others] = words.words;
    if (name === undefined) throw usage("The server's name is missing.", 'For example: trestle logout docs');
    refuseFurther(others, 'the server');
    const { output, typed, signal } = context;
    const runtime = context.runtime();
    const outcome = await runtime.signOut({ server: name.text, account: words.flags.account, signal });
    if (!hasValue(outcome)) {
      const target = { kind: 'named', name: name.text, at: name.at } as const;
      return printFailed(withSuggestion(outcome, { runtime, typed, target }), output);
    }
    if (output.json) await output.write(renderJson(outcome.value));
    else await output.lines(linesOf(outcome.value, words.flags.account));
    return exitCodes.ok;
  },
});

function linesOf({ server, accounts, left }: SignOutValue, wanted: string | undefined): readonly string[] {
  const still =
    left.length === 0 ? [] : [`Still signed in to ${server}: ${left.map((account) => cell(account)).join(', ')}.`];
  if (accounts.length === 0) {
    return [`Nobody is signed in to ${server}${wanted === undefined ? '' : ` as ${cell(wanted)}`}.`, ...still];
  }
  const lines = accounts.map(({ account, revoked }) => {
    const as = account === 'default' ? '' : ` (${cell(account)})`;
    return `Signed out of ${server}${as}${revokedText(revoked)}.`;
  });
  return [...lines, ...still];
}

function revokedText(revoked: boolean | undefined): string {
  if (revoked === undefined) return '; its server offers no way to withdraw what it gave, which may hold until it ends';
  return revoked
    ? ', and what it gave is withdrawn'
    : '; its server did not withdraw what it gave, which may hold until it ends';
}
