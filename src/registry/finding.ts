import { TrestleError } from '../base/index.ts';

/** Something about a registry file that somebody should know. */
export interface RegistryFinding {
  readonly server: string | undefined;
  /** Absolute path. */
  readonly file: string;
  /** JSON Pointer of the member concerned, '' for the whole file. */
  readonly field: string;
  /** One clause: what is wrong. */
  readonly problem: string;
  /**
   * `error`: it cannot be used as it stands; `warning`: it can, and somebody should look at it; `note`: nothing is wrong, but
   * worth a word (a person's edits).
   */
  readonly severity: 'error' | 'warning' | 'note';
}

/** A read that names what was wrong beside what could be read. */
export interface Read<T> {
  readonly value: T;
  readonly findings: readonly RegistryFinding[];
}

/** An error about a file as a whole. */
export function wholeFile(server: string, file: string, problem: string): RegistryFinding {
  return { server, file, field: '', problem, severity: 'error' };
}

/** `work`, or what it could not read as a finding about `file`; other errors pass. */
export function orFinding<T>(
  place: { readonly server: string; readonly file: string },
  work: () => T,
  otherwise: (finding: RegistryFinding) => T,
): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TrestleError) || error.code !== 'file_error') throw error;
    const reason = String(error.details?.['reason']);
    return otherwise(wholeFile(place.server, place.file, `cannot be read (${reason})`));
  }
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
