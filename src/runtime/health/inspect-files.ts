/** What is wrong with the files that people write, and with those that hold what people said: from the files, no server is started. */
import { join } from 'node:path';
import { isObject, parseJson, plural, readTextSync, TrestleError } from '../../base/index.ts';
import { namesInFile } from '../../secrets/index.ts';
import type { Asker } from '../asker.ts';
import type { Core } from '../core.ts';
import type { HouseFinding } from './doctor-report.ts';
import { findingsOf, note, shownFinding, trouble } from './house-finding.ts';

/** Looks at configuration, settings, approvals, secrets and sign-ins; what cannot be read is a finding. */
export async function inspectFiles(core: Core, asker: Asker): Promise<readonly HouseFinding[]> {
  const looks = await Promise.all([
    findingsOf('configuration', async () => configurationFindings(core, asker)),
    findingsOf('settings', async () => settingsFindings(core)),
    findingsOf('approvals', async () => approvalFindings(core)),
    findingsOf('secrets', async () => secretFindings(core)),
    findingsOf('sign-ins', async () => signInFindings(core)),
  ]);
  return looks.flat().map((finding) => shownFinding(core, finding));
}

/** The same for whoever looks at no server: entries that cannot be used are findings too. */
export async function checkFiles(core: Core, asker: Asker): Promise<readonly HouseFinding[]> {
  const broken = await findingsOf('configuration', async () =>
    [...core.config(asker).broken.values()].map((problem) => trouble('configuration', problem)),
  );
  const found = await inspectFiles(core, asker);
  // Where the file cannot be read, both say so.
  const texts = new Set(found.map(({ text }) => text));
  const more = broken.map((finding) => shownFinding(core, finding)).filter(({ text }) => !texts.has(text));
  return [...more, ...found];
}

function configurationFindings(core: Core, asker: Asker): readonly HouseFinding[] {
  const { servers, broken, notices } = core.config(asker);
  const size = servers.size + broken.size;
  const hint = 'Correct or remove what it names; the rest of the file counts.';
  return [
    { subject: 'configuration', level: 'ok', text: `${core.places.serversFile}, ${plural(size, 'server')}` },
    ...notices.map((text) => note('configuration', text, { code: 'config_entry_invalid', hint })),
  ];
}

function settingsFindings(core: Core): readonly HouseFinding[] {
  const hint = `See which settings there are: docs/configuration.md. The rest of ${core.places.settingsFile} counts.`;
  return core.settings(0).notices.map((text) => note('settings', text, { code: 'unsupported_setting', hint }));
}

function approvalFindings({ approvals }: Core): readonly HouseFinding[] {
  const problem = approvals.problem();
  if (problem !== undefined) {
    const hint = 'Put it right, or approve again what you use: trestle approve SERVER';
    return [trouble('approvals', new TrestleError({ code: 'state_unusable', message: `${problem}.`, hint }))];
  }
  const unread = approvals.unread();
  if (unread === 0) return [];
  const text = `${plural(unread, 'entry', 'entries')} of approvals.json ${unread === 1 ? 'is' : 'are'} none that this version understands, and so approve nothing.`;
  return [note('approvals', text, { code: 'state_unusable', hint: 'Approve again what asks: trestle approve SERVER' })];
}

/** Only the file: a keychain would ask its person to unlock it. */
function secretFindings({ places }: Core): readonly HouseFinding[] {
  namesInFile(places.stateFolder);
  return [];
}

function signInFindings({ places }: Core): readonly HouseFinding[] {
  // Named here and not by the session's room, which would load all that connects.
  const file = join(places.stateFolder, 'sign-ins.json');
  const text = readTextSync(file);
  if (text === undefined || isObject(parsed(text))) return [];
  throw new TrestleError({
    code: 'state_unusable',
    message: `${file} is no list of sign-ins, so nobody counts as signed in anywhere.`,
    hint: 'Sign in again where it is asked for, which writes the file anew: trestle login SERVER',
  });
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
