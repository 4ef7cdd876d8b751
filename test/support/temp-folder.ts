import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Has something done when a test has ended. */
export type AtEnd = (run: () => void, timeoutMs?: number) => void;

/**
 * A new empty folder (canonical path) that is removed when the running test ends. It lies some levels deep in a folder of
 * its own, so that a program that wrongly follows `..` out of it harms nothing but the test. Of tests that run side by side nobody
 * knows which is the running one: each gives its own `atEnd`, the context's `onTestFinished`.
 */
export function tempFolder(atEnd: AtEnd = onTestFinished): string {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'trestle-test-')));
  // A clone with its packages takes a while on a busy machine.
  atEnd(() => rmSync(outer, { recursive: true, force: true }), 120_000);
  const path = join(outer, 'apart', 'from', 'others');
  mkdirSync(path, { recursive: true });
  return path;
}
