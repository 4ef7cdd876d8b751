import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/project-files.ts';
import { floors } from './house.ts';

const architecture = readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8');

describe('ARCHITECTURE.md', () => {
  it('shows every room that stands, on its floor', () => {
    const standing = Object.entries(floors).filter(([room]) => existsSync(join(projectRoot, 'src', room)));
    const missing = standing.filter(([room, floor]) => !architecture.includes(`| ${floor} | \`${room}\` |`));
    expect(missing).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])('every file that %s names exists', (document) => {
    const text = readFileSync(join(projectRoot, document), 'utf8');
    const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map((match) => match[1] ?? '');
    const named = [...text.matchAll(/`((?!test\/)[a-z-]+(?:\/[a-z-]+)+\.ts)`/g)].map((match) => `src/${match[1]}`);
    const paths = [...linked, ...named, ...[...text.matchAll(/`(test\/[\w/-]+\.ts)`/g)].map((match) => match[1] ?? '')];
    expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  });

  it('shows every move of a session, and no other', () => {
    const source = readFileSync(join(projectRoot, 'src/session/session-state.ts'), 'utf8');
    const table = /transitions[^=]*= \{(.*?)\n\};/s.exec(source)?.[1] ?? '';
    const legal = [...table.matchAll(/(\w+): \[([^\]]*)\]/g)].flatMap(([, from, list]) =>
      [...(list ?? '').matchAll(/'(\w+)'/g)].map(([, to]) => `${from} --> ${to}`),
    );
    const diagram = architecture.split('## A session')[1]?.split('```')[1] ?? '';
    const shown = [...diagram.matchAll(/(\w+ --> \w+)/g)].map((match) => match[1] ?? '');
    expect(shown.toSorted()).toEqual(legal.toSorted());
    expect(legal.length).toBeGreaterThan(4);
  });
});
