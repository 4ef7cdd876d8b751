/** `npm run ids`: which requirement ids the tests cite, and which they do not. */
import { coverageOf } from '../test/architecture/id-coverage.ts';
import { claimedIds, requirements } from '../test/requirements.ts';
import { readProjectFiles } from '../test/support/project-files.ts';

const coverage = coverageOf(readProjectFiles('src/**/*.test.ts', 'test/**/*.test.ts'));
const claimed = new Set(claimedIds);
for (const { id, since, already, says } of requirements) {
  const titles = coverage.cited.get(id) ?? 0;
  const state = titles > 0 ? `${titles}` : claimed.has(id) ? 'MISSING' : '-';
  const part = already === undefined ? '' : ` [now: ${already}]`;
  console.log(`${id.padEnd(4)} ${state.padStart(7)}  ${since.padEnd(11)} ${says}${part}`);
}
for (const line of coverage.unknown) console.log(`unknown id in ${line}`);
const cited = claimedIds.length - coverage.missing.length;
console.log(
  `\n${cited} of ${claimedIds.length} claimed ids are cited; missing: ${coverage.missing.join(' ') || 'none'}`,
);
process.exitCode = coverage.missing.length + coverage.unknown.length === 0 ? 0 : 1;
