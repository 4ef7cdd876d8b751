// Loaded before a program with --import: writes every file that it reads, one a line, to the file named by FILES_READ.
import { syncBuiltinESMExports } from 'node:module';

const fs = process.getBuiltinModule('node:fs');
const { appendFileSync, readFileSync, openSync, promises } = fs;
const note = (path) => typeof path === 'string' && appendFileSync(process.env.FILES_READ, `${path}\n`);

const traced =
  (original) =>
  (path, ...rest) => {
    note(path);
    return original(path, ...rest);
  };
fs.readFileSync = traced(readFileSync);
fs.openSync = traced(openSync);
promises.readFile = traced(promises.readFile);
promises.open = traced(promises.open);
syncBuiltinESMExports();
