/**
 * Changes of one member of a JSONC object that touch nothing else. (`modify` of jsonc-parser formats whole lines anew, the
 * neighbours of an entry too, and loses comments beside removed ones; its tree says where everything stands.)
 */
import type { Node } from 'jsonc-parser';
import { indentedJson, type JsonObject } from '../base/index.ts';

export interface ObjectEdit {
  readonly text: string;
  /** The object concerned. */
  readonly object: Node;
}

/** The text with `name: value` as the object's last member. */
export function insertMember({ text, object }: ObjectEdit, name: string, value: JsonObject): string {
  const style = styleOf(text);
  const indent = lineIndent(text, object.offset);
  const end = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const ownIndent =
    last !== undefined && startsItsLine(text, last.offset) ? lineIndent(text, last.offset) : indent + style.unit;
  const member = `${style.eol}${ownIndent}${JSON.stringify(name)}: ${written(value, ownIndent, style)}`;
  if (last === undefined) {
    const inner = text.slice(object.offset + 1, end).trimEnd();
    return `${text.slice(0, object.offset + 1)}${inner}${member}${style.eol}${indent}${text.slice(end)}`;
  }
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd, end);
  const from = endOfLineComment(text, comma === undefined ? lastEnd : comma + 1, end);
  const rest = text.slice(from, end);
  const closing = /[\n\r]/.test(rest) ? rest : `${rest.trimEnd()}${style.eol}${indent}`;
  const before = comma === undefined ? `${text.slice(0, lastEnd)},${text.slice(lastEnd, from)}` : text.slice(0, from);
  return `${before}${member}${comma === undefined ? '' : ','}${closing}${text.slice(end)}`;
}

/** The text with another value for a member. */
export function replaceValue(text: string, member: Node, value: JsonObject): string {
  const old = member.children?.[1];
  if (old === undefined) return text;
  const indent = lineIndent(text, member.offset);
  return `${text.slice(0, old.offset)}${written(value, indent, styleOf(text))}${text.slice(old.offset + old.length)}`;
}

/** The text without a member; a line of its own goes with it, and the comma that is too many. Comments stay. */
export function removeMember({ text, object }: ObjectEdit, member: Node): string {
  const members = object.children ?? [];
  const end = member.offset + member.length;
  const previous = members[members.indexOf(member) - 1];
  // Its own comma, or that of the one before when it was the last.
  const own = commaAfter(text, end, object.offset + object.length - 1);
  const comma = own ?? (previous && commaAfter(text, previous.offset + previous.length, member.offset));
  const cuts: [from: number, to: number][] = [[member.offset, end]];
  if (comma !== undefined) cuts.push([comma, comma + 1]);
  const behind = own !== undefined && text.slice(end, own).trim() === '' ? own + 1 : end;
  const lineEnd = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(behind))?.[0];
  if (lineEnd !== undefined && startsItsLine(text, member.offset)) {
    cuts.push([lineStart(text, member.offset), behind + lineEnd.length]);
  }
  return withoutRanges(text, cuts);
}

function withoutRanges(text: string, ranges: readonly (readonly [from: number, to: number])[]): string {
  let kept = '';
  let at = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    kept += text.slice(at, Math.max(at, from));
    at = Math.max(at, to);
  }
  return kept + text.slice(at);
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

/** Indentation and line ends as the file has them. */
function styleOf(text: string): Style {
  return { unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function written(value: JsonObject, indent: string, { unit, eol }: Style): string {
  return indentedJson(value, unit).split('\n').join(`${eol}${indent}`);
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function startsItsLine(text: string, offset: number): boolean {
  return lineStart(text, offset) + lineIndent(text, offset).length === offset;
}

/** Where the next comma stands after blank space and comments, if before `end`. */
function commaAfter(text: string, from: number, end: number): number | undefined {
  const next = /(?:\s|\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*,/y;
  next.lastIndex = from;
  return next.test(text) && next.lastIndex <= end ? next.lastIndex - 1 : undefined;
}

/** Behind comments that stand on the same line: they speak of what is before them. */
function endOfLineComment(text: string, from: number, end: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n\r]*?\*\/))*/y;
  comments.lastIndex = from;
  comments.test(text);
  return comments.lastIndex <= end ? Math.max(from, comments.lastIndex) : from;
}
