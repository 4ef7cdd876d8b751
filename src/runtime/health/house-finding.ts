/** How a thing about the house is told: whatever is not well has a code, and a hint what to do. */
import { asTrestleError, type ErrorCode } from '../../base/index.ts';
import { type Core, shownText } from '../core.ts';
import type { HouseFinding, HouseSubject } from './doctor-report.ts';

export interface Advice {
  readonly code: ErrorCode;
  readonly hint: string;
}

export function note(subject: HouseSubject, text: string, advice: Advice): HouseFinding {
  return { subject, level: 'note', text, ...advice };
}

/** What stands in the way, from the error that says so. */
export function trouble(subject: HouseSubject, thrown: unknown): HouseFinding {
  const { message, code, hint } = asTrestleError(thrown);
  return { subject, level: 'trouble', text: message, code, hint: hint ?? 'Look at it, or move it away.' };
}

/** What `look` finds; what it cannot look at is a finding. */
export async function findingsOf(
  subject: HouseSubject,
  look: () => Promise<readonly HouseFinding[]>,
): Promise<readonly HouseFinding[]> {
  try {
    return await look();
  } catch (thrown) {
    return [trouble(subject, thrown)];
  }
}

export function shownFinding(core: Core, finding: HouseFinding): HouseFinding {
  const text = shownText(core, finding.text);
  return finding.level === 'ok' ? { ...finding, text } : { ...finding, text, hint: shownText(core, finding.hint) };
}
