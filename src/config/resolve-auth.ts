/** The `auth` of an entry with its references resolved. */
import { isAbsolute, join, resolve } from 'node:path';
import { type AuthMember, type DefinedAuth, type ResolvedAuth, secretAuthMembers } from './auth.ts';
import { entryError, type EntrySubject } from './members.ts';

export interface AuthResolution {
  /** Whose errors these are. */
  readonly about: EntrySubject;
  /** A value with its references replaced; `member` names where it stands. */
  readonly value: (text: string, member: string) => string;
  /** Folder that relative file names are meant from. */
  readonly folder: string;
  readonly userHome: string;
  readonly onSecret: (secret: string) => void;
}

const secretMembers: ReadonlySet<string> = new Set(secretAuthMembers);

/** Resolves every member. Throws as references do, and `config_entry_invalid` for a URL that is none or would be read by others on its way. */
export function resolveAuth(auth: DefinedAuth, resolution: AuthResolution): ResolvedAuth {
  const { about, value, onSecret } = resolution;
  const values: Partial<Record<AuthMember, string>> = {};
  for (const [name, text] of Object.entries(auth.values)) {
    const member = name as AuthMember;
    const resolved = value(text, `auth.${member}`).trim();
    if (resolved === '') throw entryError(about, `auth.${member}`, 'is empty');
    if (secretMembers.has(member)) onSecret(resolved);
    values[member] = member.endsWith('File') ? filePath(resolved, resolution) : resolved;
  }
  for (const member of ['clientMetadataUrl', 'issuer', 'idpTokenEndpoint'] as const) {
    checkUrl(about, member, values[member]);
  }
  return { ...auth, values };
}

function filePath(path: string, { folder, userHome }: AuthResolution): string {
  const expanded = /^~[/\\]/.test(path) ? join(userHome, path.slice(2)) : path;
  return isAbsolute(expanded) ? expanded : resolve(folder, expanded);
}

function checkUrl(about: EntrySubject, member: AuthMember, text: string | undefined): void {
  if (text === undefined) return;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw entryError(about, `auth.${member}`, 'is no https:// URL');
}
