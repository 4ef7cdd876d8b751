import { TrestleError } from '../base/index.ts';

/** Something wrong in a registry file. */
export interface RegistryFinding {
  readonly server: string | undefined;
  /** Absolute path. */
  readonly file: string;
  /** JSON Pointer of the member concerned, '' for the whole file. */
  readonly field: string;
  /** One clause: what is wrong. */
  readonly problem: string;
  readonly severity: 'error' | 'warning';
}

/** An error about a file as a whole. */
export function wholeFile(server: string, file: string, problem: string): RegistryFinding {
  return { server, file, field: '', problem, severity: 'error' };
}

/** A finding as an error, for doors that must fail on it. */
export function findingError(finding: RegistryFinding): TrestleError {
  const { server, file, field, problem } = finding;
  return new TrestleError({
    code: field === '' ? 'registry_unreadable' : 'registry_invalid',
    message: `${file}${field === '' ? '' : ` at ${field}`} ${problem}.`,
    hint:
      server === undefined
        ? 'Run "trestle validate" to see all findings.'
        : `Run "trestle sync ${server}" to write it anew; "trestle validate" shows all findings.`,
    server,
    details: { file, field },
  });
}
