/** Scenarios of the official client suite that concern this version, on the revision each runs at. */

export interface Scenario {
  readonly name: string;
  readonly revision: '2025-11-25' | '2026-07-28';
  /** Why it cannot pass yet. One that passes all the same is a failure: take the reason away then. */
  readonly expectedFailure?: string;
}

export const scenarios: readonly Scenario[] = [
  { name: 'initialize', revision: '2025-11-25' },
  { name: 'tools_call', revision: '2025-11-25' },
  { name: 'tools_call', revision: '2026-07-28' },
  { name: 'request-metadata', revision: '2026-07-28' },
  { name: 'http-standard-headers', revision: '2026-07-28' },
  { name: 'json-schema-ref-no-deref', revision: '2026-07-28' },
  { name: 'json-schema-2020-12-preservation', revision: '2025-11-25' },
  { name: 'json-schema-2020-12-preservation', revision: '2026-07-28' },
  { name: 'elicitation-sep1034-client-defaults', revision: '2025-11-25' },
  { name: 'sse-retry', revision: '2025-11-25' },
  { name: 'sep-2322-client-request-state', revision: '2026-07-28' },
  { name: 'http-custom-headers', revision: '2026-07-28' },
  { name: 'http-invalid-tool-headers', revision: '2026-07-28' },
];

/** `name@revision`, as the suite's own lists write it. */
export function scenarioId(scenario: Scenario): string {
  return `${scenario.name}@${scenario.revision}`;
}
