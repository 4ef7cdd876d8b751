/** What a sync did, for a person. */
import { limits, plural } from '../../base/index.ts';
import type { ChangedPart, ListChanges, SyncChanges } from '../../registry/index.ts';
import type { SyncValue } from '../../runtime/index.ts';
import type { SessionInfo } from '../../session/index.ts';
import { cell } from './cell.ts';
import { toolCount } from './tool-count.ts';
import type { Style } from './style.ts';

/** Names added to a list; `list` and `show` tell all of them. */
const addedNames = 10;
const nameCharacters = 120;
/** Of each text of a part that has changed. */
const partCharacters = 120;

/** What a sync did; `info` where it is known who answered. */
export type ShownSync = Pick<SyncValue, 'changes' | 'problems'> & Partial<Pick<SyncValue, 'info'>>;

/** A heading, the names added, changed and removed, and what a person should know. */
export function renderChanges(value: ShownSync, style: Style): readonly string[] {
  const { changes, info, problems } = value;
  return [
    `${style.bold(changes.server)}: ${counts(changes)}${info === undefined ? '' : ` (${answererOf(info)})`}`,
    ...renderList('tool', changes.tools, style),
    ...renderList('resource', changes.resources, style),
    ...renderList('template', changes.resourceTemplates, style),
    ...renderList('prompt', changes.prompts, style),
    ...remarks(changes).map((remark) => `  ${style.yellow('!')} ${remark}`),
    ...problems.map((problem) => `  ${style.yellow('!')} ${cell(problem, 1_000)}`),
  ];
}

function answererOf({ serverInfo, link, era, protocolVersion }: SessionInfo): string {
  const server = serverInfo === undefined ? '' : `${cell(serverInfo.name)} ${cell(serverInfo.version)}, `;
  return `${server}${link}, ${era} ${protocolVersion}`;
}

/** Whether a sync found anything new. */
function hasChanged(changes: SyncChanges): boolean {
  return (
    changes.meta.length > 0 ||
    [changes.tools, changes.resources, changes.resourceTemplates, changes.prompts].some(
      ({ added, changed, removed }) => added.length + changed.length + removed.length > 0,
    )
  );
}

function counts(changes: ShownSync['changes']): string {
  const lists = [
    [changes.tools, 'tool'],
    [changes.resources, 'resource'],
    [changes.resourceTemplates, 'template'],
    [changes.prompts, 'prompt'],
  ] as const;
  const told = lists
    .map(([list, noun]) => [sizeOf(list), noun] as const)
    .filter(([size, noun]) => size > 0 || noun === 'tool');
  const sizes = told
    .map(([size, noun]) => (noun === 'tool' ? toolCount(size, changes.denied) : plural(size, noun)))
    .join(', ');
  return hasChanged(changes) ? sizes : `${sizes}, unchanged`;
}

function sizeOf(list: ListChanges): number {
  return list.added.length + list.changed.length + list.unchanged;
}

function renderList(noun: string, list: ListChanges, style: Style): readonly string[] {
  return [
    ...list.added.slice(0, addedNames).map((name) => `  ${style.green('+')} ${noun} ${cell(name, nameCharacters)}`),
    ...(list.added.length > addedNames
      ? [`  ${style.green('+')} ${plural(list.added.length - addedNames, `more ${noun}`)}`]
      : []),
    ...list.changed.flatMap(({ name, fields, parts, drift }) => [
      `  ${style.yellow('~')} ${noun} ${cell(name, nameCharacters)}: ${fields.map((field) => cell(field, nameCharacters)).join(', ')}${drift ? '' : ' (no drift)'}`,
      ...renderParts(parts, style),
    ]),
    ...list.removed.map((name) => `  ${style.red('-')} ${noun} ${cell(name, nameCharacters)}`),
  ];
}

/** The parts of a descriptor that differ; of long texts what is around the first difference. */
function renderParts(parts: readonly ChangedPart[], style: Style): readonly string[] {
  const lines = parts.slice(0, limits.shownParts).map(({ part, before, after }) => {
    const subject = `      ${cell(part, nameCharacters)}:`;
    if (before === undefined) return `${subject} ${style.green('added')} ${cell(after, partCharacters)}`;
    // What is gone may have been the warning: a hint that the tool deletes.
    if (after === undefined) return `${subject} ${style.red('removed')} ${cell(before, partCharacters)}`;
    const from = Math.max(0, firstDifference(before, after) - partCharacters / 4);
    const shown = (text: string): string => cell(`${from === 0 ? '' : '…'}${text.slice(from)}`, partCharacters);
    return `${subject} ${style.red(shown(before))} -> ${style.green(shown(after))}`;
  });
  const more = parts.length - lines.length;
  return more > 0 ? [...lines, `      and ${plural(more, 'part')} more`] : lines;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charAt(at) === other.charAt(at)) at += 1;
  return at;
}

function remarks(changes: SyncChanges): readonly string[] {
  return [
    ...(changes.meta.length > 0
      ? [`the server's own facts changed: ${changes.meta.map((name) => cell(name)).join(', ')}`]
      : []),
    ...(changes.overwritten.length > 0
      ? [`edited by hand and overwritten: ${changes.overwritten.map((name) => cell(name, nameCharacters)).join(', ')}`]
      : []),
    ...(changes.instructionsKept ? ['the stored instructions were edited by hand and stay'] : []),
    ...(changes.repaired ? ['an earlier, interrupted sync was repaired'] : []),
    ...changes.findings.map((finding) => `${cell(finding.file, 1_000)}: ${cell(finding.problem, 1_000)}`),
  ];
}
