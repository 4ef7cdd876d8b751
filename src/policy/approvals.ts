/** What a person has said yes to, and whether that covers what is wanted now. Pure: who keeps approvals is said elsewhere. */
import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../base/index.ts';
import { matchesGlob, matchingGlob } from './globs.ts';

/** A recorded yes. */
export interface Approval {
  readonly server: string;
  /** The file that the server's entry stood in; null for one that stood in none. */
  readonly file: string | null;
  /** Hash of how the server is reached. Another hash is another server. */
  readonly identity: string;
  /** `connect`: it may be started or connected to. `use`: that, and its tools may be called, its lists and resources read. */
  readonly kind: 'connect' | 'use';
  /** Globs: only these tools, and no lists or resources. */
  readonly tools?: readonly string[];
  /** Globs by name: only calls whose arguments of these names fit. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly approvedAt: string;
  readonly expiresAt?: string;
  /** Digests of tools' descriptors as they were: a tool that has another one now, or had none then, is not covered. Empty: unknown. */
  readonly descriptors?: Readonly<Record<string, string>>;
  /** Of each of these descriptors a short digest of every part, so that it can be said what has changed. */
  readonly parts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What somebody wants to do. */
export interface Wanted {
  /** `call` wants an approval that names the tool, not only its server. */
  readonly kind: 'connect' | 'use' | 'call';
  readonly server: string;
  readonly file: string | null;
  readonly identity: string;
  /** The exact name. */
  readonly tool?: string;
  readonly arguments?: JsonObject;
  /** Digest of the tool's descriptor as it is now, where it is known. */
  readonly descriptor?: string;
}

/** Whether `approval` allows what is wanted at `nowMs` (milliseconds since the epoch). */
export function covers(approval: Approval, wanted: Wanted, nowMs: number): boolean {
  return coversBut(approval, wanted, nowMs) && !hasDrifted(approval, wanted);
}

/** Whether `approval` would allow it, had the tool's descriptor not changed since. */
export function isVoidedByDrift(approval: Approval, wanted: Wanted, nowMs: number): boolean {
  return coversBut(approval, wanted, nowMs) && hasDrifted(approval, wanted);
}

function coversBut(approval: Approval, wanted: Wanted, nowMs: number): boolean {
  return (
    approval.server === wanted.server &&
    approval.file === wanted.file &&
    approval.identity === wanted.identity &&
    !isExpired(approval, nowMs) &&
    (wanted.kind === 'connect' || (approval.kind === 'use' && coversUse(approval, wanted)))
  );
}

/** Whether its time is over at `nowMs`. */
export function isExpired({ expiresAt }: Approval, nowMs: number): boolean {
  // What is no date allows nothing.
  return expiresAt !== undefined && !(Date.parse(expiresAt) > nowMs);
}

function coversUse(approval: Approval, wanted: Wanted): boolean {
  const { tools, arguments: patterns } = approval;
  if (tools === undefined && (patterns !== undefined || wanted.kind === 'call')) return false;
  if (tools !== undefined && (wanted.tool === undefined || matchingGlob(tools, wanted.tool) === undefined))
    return false;
  return Object.entries(patterns ?? {}).every(([name, pattern]) => {
    const given = wanted.arguments !== undefined && Object.hasOwn(wanted.arguments, name);
    return given && fitsPattern(pattern, argumentText(wanted.arguments[name] ?? null));
  });
}

/** `..` as a part of a path, also as a URL has it. */
const leadsUp = /(?:^|[/\\"])(?:\.|%2e){2}(?:$|[/\\"?#])/i;

/** `/data/*` means what lies there: a path that leads out of it again is asked about, unless the pattern itself leads up. */
function fitsPattern(pattern: string, text: string): boolean {
  return matchesGlob(pattern, text) && (!leadsUp.test(text) || leadsUp.test(pattern));
}

/** Text as it is, all else as JSON. */
function argumentText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

function hasDrifted({ descriptors = {} }: Approval, { kind, tool, descriptor }: Wanted): boolean {
  // What is only started calls no tool.
  if (kind === 'connect' || tool === undefined || descriptor === undefined) return false;
  if (Object.keys(descriptors).length === 0) return false;
  // A new tool is a changed one under another name: else a server would rename it.
  return !Object.hasOwn(descriptors, tool) || descriptors[tool] !== descriptor;
}

const members: ReadonlySet<string> = new Set([
  'server',
  'file',
  'identity',
  'kind',
  'tools',
  'arguments',
  'approvedAt',
  'expiresAt',
  'descriptors',
  'parts',
] satisfies readonly (keyof Approval)[]);

/**
 * A stored approval, or undefined for what is none. One with members that nobody knows here is none either: a newer version may
 * have narrowed it by them.
 */
export function readApproval(value: unknown): Approval | undefined {
  if (!isObject(value) || Object.keys(value).some((member) => !members.has(member))) return undefined;
  const { server, file, identity, kind, tools, arguments: patterns, approvedAt, expiresAt, descriptors, parts } = value;
  const isSound =
    isText(server) &&
    (file === null || isText(file)) &&
    isText(identity) &&
    (kind === 'connect' || kind === 'use') &&
    (tools === undefined || (Array.isArray(tools) && tools.every(isText))) &&
    isTextMap(patterns) &&
    isText(approvedAt) &&
    (expiresAt === undefined || isText(expiresAt)) &&
    isTextMap(descriptors) &&
    (parts === undefined ||
      (isObject(parts) && Object.values(parts).every((one) => one !== undefined && isTextMap(one))));
  return isSound ? (value as unknown as Approval) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextMap(value: JsonValue | undefined): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every(isText));
}
