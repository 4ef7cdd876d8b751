/** The state of the house that Trestle lives in, from its files; no server is started. */
import { dirname } from 'node:path';
import { asTrestleError, limits, plural, proveWritable } from '../base/index.ts';
import { type Core, shownText } from './core.ts';
import type { HouseFinding } from './doctor-report.ts';
import type { ConfigView } from '../config/index.ts';
import type { Asker } from './asker.ts';
import { callableFacts } from './callable-servers.ts';
import { strayFinding } from './not-started-notes.ts';
import { registeredServers } from './registered.ts';
import { dueReason } from './due.ts';
import { validateRegistry } from './validate.ts';

/** Every server that the configuration names, broken entries included; sorted. Empty where it cannot be read. */
export function configuredNames(core: Core, asker: Asker): readonly string[] {
  try {
    const { servers, waiting, broken } = core.config(asker);
    return [...new Set([...servers.keys(), ...waiting.keys(), ...broken.keys()])].sort();
  } catch {
    return [];
  }
}

/** Looks at home, configuration, settings and registry; what cannot be read is a finding. */
export async function inspectHouse(core: Core, asker: Asker): Promise<readonly HouseFinding[]> {
  const looks = await Promise.all([
    findingsOf('home', () => homeFindings(core)),
    findingsOf('configuration', async () => configurationFindings(core, asker)),
    findingsOf('settings', async () => core.settings(0).notices.map((text) => note('settings', text))),
    findingsOf('registry', () => registryFindings(core, asker)),
  ]);
  return looks.flat().map((finding) => ({
    ...finding,
    text: shownText(core, finding.text),
    ...(finding.hint === undefined ? {} : { hint: shownText(core, finding.hint) }),
  }));
}

type Subject = HouseFinding['subject'];

async function findingsOf(
  subject: Subject,
  look: () => Promise<readonly HouseFinding[]>,
): Promise<readonly HouseFinding[]> {
  try {
    return await look();
  } catch (thrown) {
    return [trouble(subject, thrown)];
  }
}

/** Every folder that Trestle writes into. */
async function homeFindings({ places }: Core): Promise<readonly HouseFinding[]> {
  const { serversFile, settingsFile, registryRoot, stateFolder, runFolder, spillFolder } = places;
  const folders = [dirname(serversFile), dirname(settingsFile), registryRoot, stateFolder, runFolder, spillFolder];
  const found: HouseFinding[] = [];
  for (const folder of new Set(folders)) {
    try {
      await proveWritable(folder);
    } catch (thrown) {
      found.push(trouble('home', thrown));
    }
  }
  return found.length > 0 ? found : [{ subject: 'home', level: 'ok', text: dirname(serversFile) }];
}

function configurationFindings(core: Core, asker: Asker): readonly HouseFinding[] {
  const { servers, broken, notices } = core.config(asker);
  const size = servers.size + broken.size;
  return [
    { subject: 'configuration', level: 'ok', text: `${core.places.serversFile}, ${plural(size, 'server')}` },
    ...notices.map((text) => note('configuration', text)),
  ];
}

async function registryFindings(core: Core, asker: Asker): Promise<readonly HouseFinding[]> {
  const { registry } = core;
  const findings = (await validateRegistry(registry)).filter(({ severity }) => severity !== 'note');
  const told = findings.slice(0, limits.doctorFindings).map(({ file, field, problem, severity }): HouseFinding => {
    const text = `${file}${field === '' ? '' : `#${field}`}: ${problem}`;
    return {
      subject: 'registry',
      level: severity === 'error' ? 'trouble' : 'note',
      text,
      hint: 'See all of them: trestle validate',
    };
  });
  const more = findings.length - told.length;
  const { value } = registry.servers();
  const size = `${registry.root}, ${plural(value.length, 'server')}`;
  return [
    ...(told.some(({ level }) => level === 'trouble')
      ? []
      : [{ subject: 'registry', level: 'ok', text: size } as const]),
    ...told,
    ...(more > 0 ? [note('registry', `${plural(more, 'finding')} more.`, 'See all of them: trestle validate')] : []),
    ...differences(core, asker),
  ];
}

/** Where registry and configuration do not say the same. Where the configuration cannot be read, that is told already. */
function differences(core: Core, asker: Asker): readonly HouseFinding[] {
  let config: ConfigView;
  try {
    config = core.config(asker);
  } catch {
    return [];
  }
  const { servers, broken } = config;
  const stored = core.registry.servers().value;
  const { approved } = callableFacts(core, asker, stored);
  const found = [...registeredServers(stored, config).keys()]
    .filter((name) => !servers.has(name) && !broken.has(name) && !approved.has(name))
    .map((name) => note('registry', ...strayFinding(name)));
  for (const definition of servers.values()) {
    if (!definition.enabled) continue;
    const { name } = definition;
    const due = dueReason(definition, core.registry.meta(definition.registryName).value);
    if (due === undefined) continue;
    const text =
      due.why === 'changed'
        ? `The entry of ${name} has changed since it was last synced (${due.differs.join(', ')}).`
        : `${name} was never synced.`;
    found.push(note('registry', text, `Sync it: trestle sync ${name}`));
  }
  return found;
}

function note(subject: Subject, text: string, hint?: string): HouseFinding {
  return { subject, level: 'note', text, ...(hint === undefined ? {} : { hint }) };
}

function trouble(subject: Subject, thrown: unknown): HouseFinding {
  const { message, hint } = asTrestleError(thrown);
  return { subject, level: 'trouble', text: message, ...(hint === undefined ? {} : { hint }) };
}
