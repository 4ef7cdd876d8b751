import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startUpPaths } from './house.ts';
import {
  ambientViolations,
  cycles,
  doorViolations,
  floorViolations,
  type Sources,
  startUpViolations,
} from './rules.ts';

const src = join(import.meta.dirname, '../../src');
const sources: Sources = new Map(
  globSync('**/*.ts', { cwd: src })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => [path, readFileSync(join(src, path), 'utf8')]),
);

describe('the house', () => {
  it('has its rooms under src', () => expect(sources.size).toBeGreaterThan(40));

  it('imports go down, through the index of a room, and stay inside src', () =>
    expect(floorViolations(sources)).toEqual([]));

  it('no files import each other in a circle', () => expect(cycles(sources)).toEqual([]));

  it('foreign packages come in through their own doors', () => expect(doorViolations(sources)).toEqual([]));

  it('L8: the start-up path loads neither SDK, nor schema library, nor HTTP client', () => {
    const cheap = [...sources.keys()].filter((path) => /^cli\/commands\/(list|show|validate)\.ts$/.test(path));
    const entries = [...startUpPaths, ...cheap].filter((path) => sources.has(path));
    expect(startUpViolations(sources, entries)).toEqual([]);
  });

  it('ambient inputs are touched at the edges only', () => expect(ambientViolations(sources)).toEqual([]));
});

/** A small house that breaks one rule at a time. */
const house = (files: Readonly<Record<string, string>>): Sources => new Map(Object.entries(files));

describe('the rule of floors', () => {
  const index = { 'base/index.ts': '', 'wire/index.ts': '', 'registry/index.ts': '', 'pool/index.ts': '' };

  it('accepts a step down through an index', () =>
    expect(floorViolations(house({ ...index, 'wire/a.ts': "import { b } from '../base/index.ts';" }))).toEqual([]));

  it.each([
    ['up', 'base/a.ts', "import type { b } from '../wire/index.ts';", /goes from base \(0\) to wire \(1\)/],
    ['sideways', 'wire/a.ts', "export * from '../registry/index.ts';", /goes from wire \(1\) to registry \(1\)/],
    ['up, late', 'wire/a.ts', "await import('../pool/index.ts');", /goes from wire \(1\) to pool \(3\)/],
    ['past the index', 'wire/a.ts', "import '../base/text.ts';", /enters base by base\/text.ts/],
    ['into its own index', 'wire/a.ts', "import './index.ts';", /index of its own room/],
    ['out of src', 'wire/a.ts', "import '../../test/x.ts';", /leaves src/],
    ['into nothing', 'wire/a.ts', "import './gone.ts';", /not there/],
    ['from a room without a floor', 'attic/a.ts', "import '../base/index.ts';", /attic, which has no floor/],
  ])('refuses a step %s', (...[, path, text, expected]) => {
    const [violation, ...more] = floorViolations(house({ ...index, 'base/text.ts': '', [path]: text }));
    expect(violation).toMatch(expected);
    expect(more).toEqual([]);
  });

  it('takes hosts as strangers to each other', () => {
    const sources = house({ 'hosts/pi/index.ts': '', 'hosts/chat/a.ts': "import '../pi/index.ts';" });
    expect(floorViolations(sources)).toHaveLength(1);
  });
});

describe('the rule against circles', () => {
  it('finds a circle of three, also through types', () => {
    const sources = house({
      'base/a.ts': "import './b.ts';",
      'base/b.ts': "import type { c } from './c.ts';",
      'base/c.ts': "export * from './a.ts';",
      'base/d.ts': "import './a.ts'; import './c.ts';",
    });
    expect(cycles(sources)).toEqual(['base/a.ts -> base/b.ts -> base/c.ts -> base/a.ts']);
  });
});

describe('the rule of foreign doors', () => {
  it.each([
    ['registry/a.ts', "import { readFileSync } from 'node:fs';"],
    ['base/text.ts', "import type { Stats } from 'node:fs/promises';"],
    ['session/a.ts', "import { spawn } from 'node:child_process';"],
    ['wire/a.ts', "import { Client } from '@modelcontextprotocol/client';"],
    ['runtime/a.ts', "import type { Tool } from '@modelcontextprotocol/client';"],
    ['session/a.ts', "import { Server } from '@modelcontextprotocol/server';"],
    ['session/a.ts', "const { fetch } = await import('undici');"],
    ['policy/a.ts', "import { createServer } from 'node:http';"],
    ['config/a.ts', "const fs = process.getBuiltinModule('node:fs');"],
  ])('refuses in %s: %s', (path, text) => expect(doorViolations(house({ [path]: text }))).toHaveLength(1));

  it.each([
    ['base/files/read.ts', "import { readFileSync } from 'node:fs';"],
    ['wire/a.ts', "import type { Transport } from '@modelcontextprotocol/client';"],
    ['session/a.ts', "import { Client } from '@modelcontextprotocol/client';"],
    ['wire/a.ts', "import { Agent } from 'undici';"],
  ])('accepts in %s: %s', (path, text) => expect(doorViolations(house({ [path]: text }))).toEqual([]));
});

describe('the rule of the start-up path', () => {
  it('follows static imports and names the way', () => {
    const sources = house({
      'cli/main.ts': "import './flags.ts'; await import('./late.ts');",
      'cli/flags.ts': "import { z } from 'zod';",
      'cli/late.ts': "import 'undici';",
      'cli/other.ts': "import type { Client } from '@modelcontextprotocol/client';",
    });
    expect(startUpViolations(sources, ['cli/main.ts', 'cli/other.ts'])).toEqual(['cli/main.ts -> cli/flags.ts -> zod']);
    const heavy = house({ 'cli/main.ts': "import 'node:crypto'; import { join } from 'node:path';" });
    expect(startUpViolations(heavy, ['cli/main.ts'])).toEqual(['cli/main.ts -> node:crypto']);
  });
});

describe('the rule of ambient inputs', () => {
  it.each([
    ['wire/a.ts', 'const path = process.env.PATH;'],
    ['pool/a.ts', 'process.stdout.write(text);'],
    ['runtime/a.ts', "console.debug('x');"],
    ['pool/a.ts', 'const now = Date.now();'],
    ['pool/a.ts', 'const now = new Date();'],
    ['pool/a.ts', 'setTimeout(run, 5);'],
    ['session/a.ts', 'await request({ signal: AbortSignal.timeout(5) });'],
    ['pool/a.ts', 'const jitter = Math.random();'],
    ['config/a.ts', 'const home = homedir();'],
    ['wire/a.ts', 'const response = await fetch(url);'],
  ])('refuses in %s: %s', (path, text) => expect(ambientViolations(house({ [path]: text }))).toHaveLength(1));

  it.each([
    ['cli/a.ts', 'const path = process.env.PATH;'],
    ['wire/a.ts', 'process.kill(pid, 0);'],
    ['pool/a.ts', 'const shown = new Date(nowMs);'],
    ['pool/a.ts', 'clock.after(5, run); // not setTimeout(run, 5); nor process.env'],
    ['wire/a.ts', 'const response = await client.fetch(url);'],
    ['wire/a.ts', 'export interface Client { fetch(url: string): Promise<Response>; }'],
    ['wire/a.ts', 'const client = { async fetch(url) { return own(url); } };'],
  ])('accepts in %s: %s', (path, text) => expect(ambientViolations(house({ [path]: text }))).toEqual([]));
});
