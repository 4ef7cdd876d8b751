/** The state of the house that Trestle lives in, from its files; no server is started. */
import { dirname } from 'node:path';
import { limits, plural, proveWritable, someOf } from '../../base/index.ts';
import type { ConfigView } from '../../config/index.ts';
import type { Asker } from '../asker.ts';
import type { Core } from '../core.ts';
import { callableFacts } from '../servers/callable-servers.ts';
import { strayFinding } from '../servers/not-started-notes.ts';
import { registeredServers } from '../servers/registered.ts';
import { dueReason } from '../sync/due.ts';
import type { HouseFinding } from './doctor-report.ts';
import { findingsOf, note, shownFinding, trouble } from './house-finding.ts';
import { inspectFiles } from './inspect-files.ts';
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
    inspectFiles(core, asker),
    findingsOf('registry', () => registryFindings(core, asker)),
  ]);
  return looks.flat().map((finding) => shownFinding(core, finding));
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

const seeAll = 'See all of them: trestle validate';

async function registryFindings(core: Core, asker: Asker): Promise<readonly HouseFinding[]> {
  const { registry } = core;
  const findings = (await validateRegistry(registry)).filter(({ severity }) => severity !== 'note');
  const told = findings.slice(0, limits.doctorFindings).map(({ file, field, problem, severity }): HouseFinding => {
    const text = `${file}${field === '' ? '' : `#${field}`}: ${problem}`;
    const code = field === '' ? 'registry_unreadable' : 'registry_invalid';
    const level = severity === 'error' ? 'trouble' : 'note';
    return { subject: 'registry', level, text, code, hint: seeAll };
  });
  const more = findings.length - told.length;
  const { value } = registry.servers();
  const size = `${registry.root}, ${plural(value.length, 'server')}`;
  return [
    ...(told.some(({ level }) => level === 'trouble')
      ? []
      : [{ subject: 'registry', level: 'ok', text: size } as const]),
    ...told,
    ...(more > 0
      ? [note('registry', `${plural(more, 'finding')} more.`, { code: 'registry_invalid', hint: seeAll })]
      : []),
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
    .map((name) => {
      const [problem, hint] = strayFinding(name);
      return note('registry', problem, { code: 'not_configured', hint });
    });
  const never: string[] = [];
  for (const definition of servers.values()) {
    if (!definition.enabled) continue;
    const { name } = definition;
    const due = dueReason(definition, core.registry.meta(definition.registryName).value);
    if (due?.why === 'changed') {
      const text = `The entry of ${name} has changed since it was last synced (${due.differs.join(', ')}).`;
      found.push(note('registry', text, { code: 'registry_invalid', hint: `Sync it: trestle sync ${name}` }));
    } else if (due !== undefined) never.push(name);
  }
  return [...found, ...neverSynced(never)];
}

/** Many of them are common, after an import for example: one line. */
function neverSynced(names: readonly string[]): readonly HouseFinding[] {
  const [first, second] = names;
  if (first === undefined) return [];
  return [
    second === undefined
      ? note('registry', `${first} was never synced.`, {
          code: 'registry_invalid',
          hint: `Sync it: trestle sync ${first}`,
        })
      : note('registry', `${names.length} servers were never synced: ${someOf(names)}.`, {
          code: 'registry_invalid',
          hint: 'Sync them: trestle sync',
        }),
  ];
}
