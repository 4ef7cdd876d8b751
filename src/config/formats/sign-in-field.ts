/** The rule for how a person signs in. */
import { isObject, type JsonValue } from '../../base/index.ts';
import { readAny, readNumber, readObject, readText, readTexts } from '../members.ts';
import { type Draft, type FieldRule, openWithin, translated, withoutEqual } from './field-rule.ts';

type AuthName = 'clientId' | 'clientSecret' | 'scope' | 'redirectPort' | 'issuer';

/** A sign-in by a person: which of its members become which of `auth`; null: none, and nothing is lost. */
export function oauth(members: Readonly<Record<string, AuthName | null>>): FieldRule {
  const taken = Object.entries(members).flatMap(([name, to]) => (to === null ? [] : [{ name, to }]));
  const names = taken.map(({ name, to }) => `\`${name}\` as \`${to}\``);
  return {
    becomes: `\`auth\`: ${names.join(', ')}`,
    take(draft, field) {
      const value = readAny(draft.from, field);
      if (value === undefined || value === true) return;
      if (value === false) {
        draft.entry['auth'] = false;
        return;
      }
      const inner = openWithin(draft.from, field, readObject(draft.from, field) ?? {});
      const auth: Record<string, JsonValue> = { type: 'oauth' };
      for (const { name, to } of taken) takeAuthMember({ ...draft, from: inner }, { name, to, auth });
      draft.remarks.push(...withoutEqual(field, inner.value, Object.keys(members)));
      draft.entry['auth'] = auth;
    },
  };
}

function takeAuthMember(
  draft: Draft,
  { name, to, auth }: { readonly name: string; readonly to: AuthName; readonly auth: Record<string, JsonValue> },
): void {
  const value = readAny(draft.from, name);
  if (value === undefined) return;
  if (to === 'redirectPort') {
    auth[to] = readNumber(draft.from, name, { least: 1, most: 65_535, unit: 'port' }) ?? null;
  } else if (to === 'scope' && Array.isArray(value)) auth[to] = (readTexts(draft.from, name) ?? []).join(' ');
  else auth[to] = translated(draft, readText(draft.from, name) ?? '', name);
}

/** One member of it that stands in the entry itself; `written` says what it becomes. */
export function authMember(
  to: 'clientId' | 'clientSecret' | 'scope',
  written: (draft: Draft, field: string) => string | undefined,
): FieldRule {
  return {
    becomes: `\`auth.${to}\``,
    take(draft, field) {
      const value = written(draft, field);
      if (value === undefined || value === '') return;
      const { auth } = draft.entry;
      draft.entry['auth'] = { ...(isObject(auth) ? auth : { type: 'oauth' }), [to]: value };
    },
  };
}

/** Scopes in a list. */
export const scopeList = authMember('scope', (draft, field) => readTexts(draft.from, field)?.join(' '));
