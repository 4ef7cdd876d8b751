/** The state of the house that Trestle lives in, from its files; nothing is started. */
import { asTrestleError, plural } from '../base/index.ts';
import { type Core, shownText } from './core.ts';
import type { HouseFinding } from './doctor-report.ts';

export interface House {
  /** Every server the configuration names, broken entries included; sorted. */
  readonly names: readonly string[];
  readonly house: readonly HouseFinding[];
}

/** Reads configuration, settings and registry; what cannot be read is a finding. */
export function inspectHouse(core: Core): House {
  const house: HouseFinding[] = [];
  let names: readonly string[] = [];
  const look = (subject: HouseFinding['subject'], read: () => readonly string[] | string): void => {
    try {
      const said = read();
      if (typeof said === 'string') house.push({ subject, level: 'ok', text: said });
      else house.push(...said.map((text): HouseFinding => ({ subject, level: 'note', text: shownText(core, text) })));
    } catch (thrown) {
      const { message, hint } = asTrestleError(thrown);
      const told = hint === undefined ? {} : { hint: shownText(core, hint) };
      house.push({ subject, level: 'trouble', text: shownText(core, message), ...told });
    }
  };
  look('configuration', () => {
    const { servers, broken, notices } = core.config();
    names = [...servers.keys(), ...broken.keys()].sort();
    return notices.length > 0 ? notices : `${core.places.serversFile}: ${plural(names.length, 'server')}.`;
  });
  look('settings', () => core.settings().notices);
  return { names, house };
}
