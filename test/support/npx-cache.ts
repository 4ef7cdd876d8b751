import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { projectRoot } from './project-files.ts';
import { tempFolder } from './temp-folder.ts';

const modules = join(projectRoot, 'node_modules');
const scope = '@modelcontextprotocol';
const name = `${scope}/server-everything`;

/** The exact version that is installed here. */
export const everythingVersion = (
  JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }
).version;

export interface NpxCache {
  /** npm's cache. */
  readonly cache: string;
  /** The folder that `npx` made for the spec. */
  readonly tree: string;
  /** What `npx` was asked for. */
  readonly spec: string;
}

/**
 * A cache as `npx NAME` or `npx NAME@TAG` leaves it, with `server-everything` in it, installed `hours` ago; made without
 * npm and without a network.
 */
export function npxCacheOfEverything(tag: string | undefined, hours: number): NpxCache {
  const spec = tag === undefined ? name : `${name}@${tag}`;
  const cache = tempFolder();
  const tree = join(cache, '_npx', hash('sha512', spec, 'hex').slice(0, 16));
  const target = join(tree, 'node_modules');
  mkdirSync(join(target, scope), { recursive: true });
  linkAll(modules, target, [scope]);
  linkAll(join(modules, scope), join(target, scope), ['server-everything']);
  cpSync(join(modules, name), join(target, name), { recursive: true });
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ _npx: { packages: [spec] } }));
  const lock = join(target, '.package-lock.json');
  writeFileSync(lock, '{}');
  const seconds = Date.now() / 1000 - hours * 3600;
  utimesSync(lock, seconds, seconds);
  return { cache, tree, spec };
}

/** The server's dependencies are those that are installed here. */
function linkAll(from: string, to: string, except: readonly string[]): void {
  const names = readdirSync(from).filter((entry) => !entry.startsWith('.') && !except.includes(entry));
  for (const entry of names) symlinkSync(join(from, entry), join(to, entry), 'junction');
}

/** A folder for PATH with an `npx` that notes each run in `ran` and starts `server-everything` as its child, as npx does. */
export function fakeNpx(): { readonly folder: string; readonly ran: string } {
  const folder = tempFolder();
  const ran = join(folder, 'ran');
  const program = join(modules, name, 'dist', 'index.js');
  // Not its last command, which a shell may become.
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\necho "$@" >> '${ran}'\n'${process.execPath}' '${program}'\nexit $?\n`,
    {
      mode: 0o755,
    },
  );
  return { folder, ran };
}
