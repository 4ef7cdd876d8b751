/** What is wrong in the registry, for a person. */
import type { RegistryFinding } from '../../registry/index.ts';
import type { HouseFinding } from '../../runtime/index.ts';
import { cell } from './cell.ts';
import type { Style } from './style.ts';

/** One finding: file, field, what is wrong. */
export function renderFinding(finding: RegistryFinding, style: Style): string {
  const marks = { error: style.red('error'), warning: style.yellow('warning'), note: 'note' };
  const mark = marks[finding.severity];
  const field = finding.field === '' ? '' : `#${cell(finding.field)}`;
  return `${mark} ${cell(finding.file, 1_000)}${field}: ${cell(finding.problem, 1_000)}`;
}

/** What is wrong with one of the files that people write, and below it what to do. */
export function renderFileFinding(finding: HouseFinding, style: Style): readonly string[] {
  if (finding.level === 'ok') return [];
  const mark = finding.level === 'trouble' ? style.red('error') : 'note';
  return [`${mark} ${cell(finding.subject)}: ${cell(finding.text, 1_000)}`, `hint: ${cell(finding.hint, 1_000)}`];
}
