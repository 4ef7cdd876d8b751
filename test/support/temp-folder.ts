import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A new empty folder (canonical path) that is removed when the running test ends. It lies some levels deep in a folder of
 * its own, so that a program that wrongly follows `..` out of it harms nothing but the test.
 */
export function tempFolder(): string {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'trestle-test-')));
  // A clone with its packages takes a while on a busy machine.
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }), 120_000);
  const path = join(outer, 'apart', 'from', 'others');
  mkdirSync(path, { recursive: true });
  return path;
}
