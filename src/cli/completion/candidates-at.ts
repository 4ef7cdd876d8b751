/** What can stand at the cursor of a command line. */
import type { Program } from '../../base/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { type Candidates, commandCandidates, flagCandidates, valueCandidates, wordCandidates } from './candidates.ts';
import { type Cursor, type Wanted, wantedAt } from './wanted.ts';

/** Who completes: the program, and what opens the files of the home that the line names. */
export interface Completing {
  readonly program: Program;
  readonly open: (home: string | undefined) => Runtime;
}

/** Starts nothing. Throws where files cannot be read. */
export async function candidatesAt(cursor: Cursor, { program, open }: Completing): Promise<Candidates> {
  const { wanted, home } = await wantedAt(cursor, program);
  switch (wanted.kind) {
    case 'command':
      return commandCandidates(program);
    case 'flag':
      return flagCandidates(wanted.table, wanted.given);
    case 'value':
      return valueAt(wanted, cursor.current, () => open(home));
    case 'word':
      return wordCandidates(open(home), wanted.command.words ?? [], {
        program,
        before: wanted.before,
        current: cursor.current,
      });
    case 'foreign':
      return 'files';
    case 'nothing':
    default:
      return [];
  }
}

function valueAt(
  wanted: Extract<Wanted, { readonly kind: 'value' }>,
  current: string,
  files: () => Runtime,
): Candidates {
  const { flag, written, before } = wanted;
  const values = valueCandidates(flag, files, { before, typed: current.slice(written.length) });
  return values === 'files' ? values : values.map((value) => ({ ...value, text: written + value.text }));
}
