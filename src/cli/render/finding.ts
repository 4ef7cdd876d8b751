/** What is wrong in the registry, for a person. */
import type { RegistryFinding } from '../../registry/index.ts';
import { cell } from './cell.ts';
import type { Style } from './style.ts';

/** One finding: file, field, what is wrong. */
export function renderFinding(finding: RegistryFinding, style: Style): string {
  const marks = { error: style.red('error'), warning: style.yellow('warning'), note: 'note' };
  const mark = marks[finding.severity];
  const field = finding.field === '' ? '' : `#${cell(finding.field)}`;
  return `${mark} ${cell(finding.file, 1_000)}${field}: ${cell(finding.problem, 1_000)}`;
}
