/** Scenarios of the official client suite that concern this version, on the revision each runs at. */

export interface Scenario {
  readonly name: string;
  readonly revision: '2025-03-26' | '2025-11-25' | '2026-07-28';
  /** Why it cannot pass yet. One that passes all the same is a failure: take the reason away then. */
  readonly expectedFailure?: string;
  /** Trestle has no part in it: what passes is the driver, on the SDK alone. */
  readonly testsDriverOnly?: boolean;
  /** What is driven through it; default the library. */
  readonly by?: 'command';
}

/** Sign-in, on either revision. */
const onBothRevisions: readonly string[] = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
  'client-credentials-jwt',
  'client-credentials-basic',
  'enterprise-managed-authorization',
  'dpop',
  'dpop-nonce',
  'wif-jwt-bearer',
];

const onTheLatest: readonly string[] = [
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
];

/** Skills, on either revision; Trestle has none. */
const ofSkills: readonly string[] = [
  'client-no-prefetch',
  'client-verify-digest',
  'client-verify-size',
  'client-verify-frontmatter',
];

/** What is driven through the library. */
const byLibrary: readonly Scenario[] = [
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
  { name: 'auth/2025-03-26-oauth-metadata-backcompat', revision: '2025-03-26' },
  { name: 'auth/2025-03-26-oauth-endpoint-fallback', revision: '2025-03-26' },
  ...onBothRevisions.flatMap((name) => [
    { name: `auth/${name}`, revision: '2025-11-25' } as const,
    { name: `auth/${name}`, revision: '2026-07-28' } as const,
  ]),
  ...ofSkills.flatMap((name) => [
    { name: `sep-2640-${name}`, revision: '2025-11-25', testsDriverOnly: true } as const,
    { name: `sep-2640-${name}`, revision: '2026-07-28', testsDriverOnly: true } as const,
  ]),
  ...onTheLatest.map((name) => ({ name: `auth/${name}`, revision: '2026-07-28' }) as const),
];

/**
 * Every scenario of sign-in once more through the command line, as a person meets it: `trestle login` and `trestle call`, a browser that follows
 * pages; clients that sign in by themselves by what their entry says. The others have no sign-in: what a command adds to them, its
 * text, is tested elsewhere.
 */
const byCommand = byLibrary
  .filter(({ name }) => name.startsWith('auth/'))
  .map((scenario) => ({ ...scenario, by: 'command' }) as const);

export const scenarios: readonly Scenario[] = [...byLibrary, ...byCommand];

/** `name@revision`, as the suite's own lists write it, and by what it is driven. */
export function scenarioId({ name, revision, by }: Scenario): string {
  return `${name}@${revision}${by === undefined ? '' : ` by the ${by} line`}`;
}
