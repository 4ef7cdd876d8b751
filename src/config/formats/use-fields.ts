/** Rules for how a server is used: time limits, switches, lists of tools, and members without an equal. */
import { isObject, type JsonValue, limits } from '../../base/index.ts';
import { readAny, readBoolean, readChoice, readNumber, readTexts } from '../members.ts';
import { type Draft, type FieldRule, openWithin, withoutEqual } from './field-rule.ts';

/** The longest time for a request. 0 and less stand for none in several tools, which Trestle does not have. */
export function time(unit: 'seconds' | 'milliseconds', most: number = limits.timeoutSeconds): FieldRule {
  const perSecond = unit === 'seconds' ? 1 : 1_000;
  return {
    becomes: `\`timeout\`, from ${unit}`,
    take(draft, field) {
      const value = readNumber(draft.from, field, { least: 0, most: most * perSecond, unit });
      if (value === 0) draft.remarks.push({ field, why: 'is 0: the usual time limit stays' });
      else if (value !== undefined) draft.entry['timeout'] = value / perSecond;
    },
  };
}

/** Time limits of several kinds in one object. */
export function times(unit: 'milliseconds', member: readonly string[]): FieldRule {
  return {
    becomes: `\`timeout\`, from ${unit}; of an object, \`${member.join('` or `')}\``,
    take(draft, field) {
      const value = readAny(draft.from, field);
      if (!isObject(value)) return time(unit).take(draft, field);
      const inner: Draft = { ...draft, from: openWithin(draft.from, field, value) };
      for (const name of member) time(unit).take(inner, name);
      draft.remarks.push(...withoutEqual(field, value, member));
    },
  };
}

/** Which era of the protocol is spoken, by the words of tools that leave it to their users. */
export const era: FieldRule = {
  becomes: '`protocol`; `2026-07-28` as `modern`',
  take(draft, field) {
    const value = readChoice(draft.from, field, ['auto', 'legacy', '2026-07-28']);
    if (value !== undefined && value !== 'auto') draft.entry['protocol'] = value === 'legacy' ? 'legacy' : 'modern';
  },
};

/** Minutes without use after which a server is ended. */
export const idleMinutes: FieldRule = {
  becomes: '`idleTimeoutMinutes`',
  take(draft, field) {
    const value = readNumber(draft.from, field, { least: 0, most: limits.idleMinutesMost, unit: 'minutes' });
    if (value !== undefined) draft.entry['idleTimeoutMinutes'] = value;
  },
};

/** Whether it is used, by a member that says so when it is `on`. */
export function enabledWhen(on: boolean): FieldRule {
  return {
    becomes: '`enabled`',
    take(draft, field) {
      const value = readBoolean(draft.from, field);
      if (value === !on) draft.entry['enabled'] = false;
    },
  };
}

/** Names of tools; the list `to` of the new entry. An empty list means "all" where `emptyIsAll`. */
export function toolNames(to: 'allow' | 'deny', emptyIsAll?: 'empty-is-all'): FieldRule {
  return {
    becomes: `\`tools.${to}\`` + (emptyIsAll === undefined ? '' : ', unless it is empty'),
    take(draft, field) {
      const names = readTexts(draft.from, field);
      if (names === undefined || (names.length === 0 && (to === 'deny' || emptyIsAll !== undefined))) return;
      const present = draft.entry['tools'];
      draft.entry['tools'] = { ...(isObject(present) ? present : {}), [to]: names };
    },
  };
}

/** A member with the same meaning here: taken as it stands. */
export const same: FieldRule = {
  becomes: 'the same',
  take(draft, field) {
    const value = readAny(draft.from, field);
    if (value !== undefined) draft.entry[field] = value;
  },
};

/** A member that says nothing of how the server is reached or used. */
export const nothing: FieldRule = {
  becomes: 'nothing: it is of no concern to Trestle',
  take(draft, field) {
    draft.from.seen.add(field);
  },
};

/** A member that Trestle has no equal for; `why` is a clause. Values that change nothing are not reported. */
export function noEqual(why: string, unless: readonly JsonValue[] = []): FieldRule {
  return {
    becomes: `no equal: ${why}`,
    take(draft, field) {
      const value = readAny(draft.from, field);
      const isEmpty =
        value === undefined || value === false || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
      if (!isEmpty && !unless.some((one) => one === value)) draft.remarks.push({ field, why });
    },
  };
}
