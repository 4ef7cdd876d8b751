import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../support/project-files.ts';
import { judge, runScenario, type ScenarioResult, verdictOf } from './run.ts';
import { scenarioId, scenarios } from './scenarios.ts';

describe('the verdict of a conformance run', () => {
  it('a success of the scenario and no failure is a pass', () =>
    expect(judge([{ id: 'tool-add-numbers', status: 'SUCCESS' }], 0)).toEqual([]));

  it.each([
    ['no check at all', [], 0],
    ['nothing but the wire schema', [{ id: 'wire-schema-valid', status: 'SUCCESS' }], 0],
    ['nothing but skipped checks', [{ id: 'a', status: 'SKIPPED' }], 0],
    [
      'a failure beside a success',
      [
        { id: 'a', status: 'SUCCESS' },
        { id: 'b', status: 'FAILURE' },
      ],
      1,
    ],
    [
      'a warning beside a success',
      [
        { id: 'a', status: 'SUCCESS' },
        { id: 'b', status: 'WARNING' },
      ],
      0,
    ],
    ['a client that failed', [{ id: 'a', status: 'SUCCESS' }], 1],
  ] as const)('%s is no pass', (...[, checks, code]) => expect(judge(checks, code)).not.toEqual([]));

  it('an expected failure that passes is told as a failure', () => {
    const scenario = { name: 'sse-retry', revision: '2025-11-25', expectedFailure: 'not built' } as const;
    expect(verdictOf({ scenario, passed: true, reasons: [] }).kind).toBe('failed');
    expect(verdictOf({ scenario, passed: false, reasons: ['x'] }).kind).toBe('skipped');
  });
});

/** What the suite itself says a client of a revision has to pass, and what it only reports. */
function askedOfClients(revision: string): readonly string[] {
  const file = join(projectRoot, 'node_modules/@modelcontextprotocol/conformance/requirements', `${revision}.yaml`);
  const asked = parse(readFileSync(file, 'utf8')) as {
    readonly client: readonly string[];
    readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[];
  };
  const unscored = asked.not_scored.filter(({ leg }) => leg === 'client').map(({ scenario }) => scenario);
  return [...asked.client, ...unscored];
}

describe('the official suite, as it is run here', () => {
  it.each(['2025-11-25', '2026-07-28'] as const)(
    'leaves out nothing that the suite asks of clients at %s',
    (revision) => {
      const run = new Set(scenarios.filter((scenario) => scenario.revision === revision).map(({ name }) => name));
      const asked = askedOfClients(revision);
      expect(asked.length).toBeGreaterThan(18);
      expect(asked.filter((name) => !run.has(name))).toEqual([]);
    },
  );

  it('a driver that does nothing scores 0', { timeout: 240_000 }, async () => {
    const results: ScenarioResult[] = [];
    const asked = scenarios.filter(({ by }) => by === undefined);
    for (const scenario of asked) results.push(await runScenario(scenario, 'true'));
    expect(results.filter((result) => result.passed)).toEqual([]);
    // The suite did look, at the right wire: a driver that calls nothing fails the check that names the call.
    const toolsCall = results.find((result) => scenarioId(result.scenario) === 'tools_call@2026-07-28');
    expect(toolsCall?.reasons.join()).toContain('tool-add-numbers');
  });
});
