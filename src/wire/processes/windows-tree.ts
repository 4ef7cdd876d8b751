/**
 * The end of a process tree on Windows, which has no groups, no signals and no environments to be read: `taskkill` walks the
 * tree by parents, and so finds all of it only while the server itself lives.
 */
import { limits } from '../../base/index.ts';
import { exitWithin, hasExited, type ProcessTree } from './process-tree.ts';

/** End of input, grace, then `taskkill /T /F`. A server that left in time is trusted to have ended what it started. */
export async function endWindowsTree(tree: ProcessTree): Promise<void> {
  tree.child.stdin?.end();
  await exitWithin(tree.child, tree.clock, limits.closeGraceMs);
  if (hasExited(tree.child)) return;
  await taskkill(tree.pid);
  await exitWithin(tree.child, tree.clock, limits.killedGraceMs);
  if (!hasExited(tree.child)) tree.log.warn(`Process ${tree.pid} could not be ended.`, tree.server);
}

function taskkill(pid: number): Promise<void> {
  const { execFile } = process.getBuiltinModule('node:child_process');
  return new Promise((done) => {
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true, timeout: 10_000 }, () => done());
  });
}
