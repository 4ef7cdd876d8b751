import { dirname, join } from 'node:path';

/** What a write calls its temporary files; those of a dead writer may be removed by whoever owns the folder. */
export const temporaryPrefix = '.trestle-tmp-';

let temporaries = 0;

/** A name beside `path` that nobody else uses, with `prefix`. */
export function temporaryBeside(path: string, prefix: string = temporaryPrefix): string {
  temporaries += 1;
  return join(dirname(path), `${prefix}${process.pid}-${Date.now().toString(36)}-${temporaries}`);
}
