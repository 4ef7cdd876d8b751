import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { canonicalPathSync } from '../base/index.ts';
import { isInProject } from '../config/index.ts';
import { codeFolder } from './code-folder.ts';

/** A user, a folder of theirs, and a repository in another one, of which `link` leads to the outer one. */
function whereabouts(): { readonly root: string; readonly cwd: string; readonly userHome: string } {
  const root = canonicalPathSync(tempFolder());
  for (const name of ['user', 'elsewhere', 'around/.git', 'around/beside', 'around/inner/.git', 'around/inner/deep']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  symlinkSync(join(root, 'around'), join(root, 'link'));
  return { root, cwd: join(root, 'around/inner/deep'), userHome: join(root, 'user') };
}

describe('where compiled code is kept', () => {
  it.each([
    ['$ROOT/elsewhere', 'named'],
    ['$ROOT/elsewhere/new/home', 'named'],
    ['../../../elsewhere', 'named'],
    ['$ROOT/user', 'named'],
    ['$ROOT/around/inner/deep', 'own'],
    ['$ROOT/around/inner/home', 'own'],
    ['$ROOT/around/beside', 'own'],
    ['$ROOT/around/..surely', 'own'],
    ['$ROOT/link/home', 'own'],
    ['home', 'own'],
    ['~/home', 'own'],
    ['', 'own'],
  ])('K2: of the home %j in the %s one, by the rule of settings: nothing is taken from a project', (home, which) => {
    const { root, ...where } = whereabouts();
    const named = resolve(where.cwd, home.replace('$ROOT', root));
    const kept = which === 'own' ? join(where.userHome, '.trestle') : named;
    const env = { TRESTLE_HOME: home.replace('$ROOT', root) };
    expect(codeFolder({ ...where, env })).toBe(join(kept, 'cache/code'));
    expect(isInProject(named, where)).toBe(which === 'own');
  });

  it('K2: whoever works in a folder that holds their own home is in no project', () => {
    const { root, userHome } = whereabouts();
    const env = { TRESTLE_HOME: join(userHome, 'mine') };
    for (const cwd of [userHome, root]) expect(codeFolder({ env, cwd, userHome })).toContain('mine');
  });
});
