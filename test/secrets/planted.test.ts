/** K4 as a whole: a secret that a hostile server repeats everywhere leaves by no way out. */
import { describe, expect, it } from 'vitest';
import { commandTable } from '../../src/cli/commands.ts';
import { createRedactor } from '../../src/policy/index.ts';
import { formsOf, leakIn } from '../support/planted-secret.ts';
import { array, assert, constantFrom, oneof, property, string } from '../support/properties.ts';
import { runCommand } from '../support/run-command.ts';
import { commandLines, commandOrder } from './every-command.ts';
import { filesOf, jsonForm, type Stage, stageOf } from './stage.ts';

/** With what encodings change: quotes, blanks, letters beyond ASCII, signs of URLs and of markup. */
const oddSecret = String.raw`p@ss/w0rd+with "quotes" & <ümläut>\n%41`;
const plainSecret = 'sk-live-0123456789abcdefXYZ';

/** What of `argv`, run as text and as JSON, holds the secret. */
async function leaksOf(stage: Stage, argv: readonly string[], secret: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const form of [argv, jsonForm(argv)]) {
    const ran = await runCommand(stage.filled(form), stage);
    if (`${ran.stdout}${ran.stderr}`.includes('[redacted]')) stage.masked.add(argv[0] ?? '');
    for (const [stream, text] of [
      ['stdout', ran.stdout],
      ['stderr', ran.stderr],
    ] as const) {
      const leak = leakIn(text, secret);
      if (leak !== undefined) found.push(`${form.join(' ')}: ${stream}: ${leak}`);
    }
  }
  return found;
}

it('K4: every command is looked at', () => {
  expect(Object.keys(commandLines).sort()).toEqual(commandTable.map(({ name }) => name).sort());
});

describe.each([
  ['plain', plainSecret],
  ['odd', oddSecret],
])('a planted secret, %s', (_, secret) => {
  it('K4: is in no output of any command, and in no file', async () => {
    const stage = await stageOf(secret);
    const found: string[] = [];
    for (const command of commandOrder) {
      for (const argv of commandLines[command] ?? []) found.push(...(await leaksOf(stage, argv, secret)));
    }
    expect([...found, ...filesOf(stage, secret)]).toEqual([]);
    // They had something to hide, all but those that show nothing a server said.
    const quietAlways = [
      'approve',
      'remove',
      'revoke',
      'secret',
      'daemon',
      'completion',
      'status',
      'validate',
      'reload',
    ];
    const quiet = [...quietAlways, 'export', 'import', 'install', 'login', 'logout'];
    expect([...stage.masked, ...quiet].sort()).toEqual(Object.keys(commandLines).sort());
  }, 300_000);
});

describe('any secret', () => {
  const odd = constantFrom('"', '\\', '/', '%', '+', '&', '<', "'", ' ', 'é', '🔑', '\u{301}', '\t', '=');
  // Not the sign of a cut: what stands between two of them would count as what a cut has left.
  const character = oneof(odd, string({ unit: 'grapheme', minLength: 1, maxLength: 1 }));
  const secrets = array(character, { minLength: 8, maxLength: 200 })
    .map((characters) => characters.join('').trim())
    // What JSON and URLs cannot hold is no secret that could be set.
    .filter((secret) => secret.length >= 8 && secret.isWellFormed());

  it('K4: in any form, in any text, does not come through', () => {
    assert(
      property(secrets, string(), string(), (secret, before, after) => {
        const redactor = createRedactor();
        redactor.add(secret);
        for (const [form, seen] of formsOf(secret)) {
          const text = `${before}${seen}${after}`;
          expect(leakIn(redactor.redact(text), secret), form).toBeUndefined();
          expect(leakIn(redactor.redact(JSON.stringify({ [text]: text })), secret), form).toBeUndefined();
        }
        for (const alphabet of ['base64', 'base64url'] as const) {
          const coded = Buffer.from(`${before}${secret}${after}`).toString(alphabet);
          expect(leakIn(redactor.redact(coded), secret), alphabet).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});
