/** The question whether to sign in. What of it comes from a server is shown as a value, clean and cut; all else is ours. */
import { limits, randomHex } from '../../base/index.ts';
import { cleanLine } from '../../policy/index.ts';
import type { SignInLacking } from './errand.ts';
import type { Question, QuestionFact } from './question.ts';

export function signInQuestion({ outcome, wanted }: SignInLacking): Question {
  const { failure } = outcome;
  const { host, issuer, account, scopes } = wanted;
  const server = failure.server ?? host;
  return {
    id: randomHex(16),
    kind: 'sign-in',
    server,
    title: `Sign in to ${server}?`,
    facts: [
      ...fact('Host', host),
      ...fact('Signs in at', issuer),
      ...fact('Account', account),
      ...fact('Scopes', scopes),
      ...fact('Asked because of', failure.message),
    ],
    covers:
      `A yes opens a page in your browser, ${issuer === undefined ? 'at the address that the server names for that' : 'there'}, where you ` +
      'sign in or not. What comes of it is kept on this machine for this server, and what the server has refused is sent to it once ' +
      'more. It covers no other server and no later sign-in.',
    choices: [
      { id: 'once', label: 'Yes, open the page' },
      { id: 'no', label: 'No' },
    ],
    deadlineMs: limits.questionMs,
  };
}

function fact(label: string, value: string | undefined): readonly QuestionFact[] {
  if (value === undefined || value === '') return [];
  return [{ label, value: cleanLine(value, limits.questionFactCharacters) }];
}
