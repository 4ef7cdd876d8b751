// A server whose process tree does not want to end. It writes one line of JSON, `{"pids": {name: pid}}`, when the tree stands.
// Modes: `stubborn` ignores the end of its input and every polite signal; `wrapper` passes its streams to a grandchild, which is
// stubborn, and leaves at once when asked; `orphans` leaves a grandchild and exits by itself; `setsid` has a grandchild in a session of
// its own; `double-fork` one whose parent is gone; `hidden` one in a session of its own that also has an empty environment.
import { spawn } from 'node:child_process';

const [, self, mode, reportTo] = process.argv;

function beStubborn() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  process.stdin.on('error', () => {});
  process.stdout.on('error', () => {});
  // Not for ever: a test that fails must not leave it behind.
  setTimeout(() => process.exit(9), 60_000);
}

function report(pids) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/pids', params: pids })}\n`);
}

/** Starts this file in another mode and resolves with the line it prints: its pid. */
function start(childMode, options) {
  const child = spawn(process.execPath, [self, childMode], { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  return new Promise((resolve) => child.stdout.once('data', (data) => resolve(Number(String(data)))));
}

/** As {@link start}, for a mode that prints the pid of another process; resolves when it has left, so that nobody descends from it. */
async function startAndPart(childMode) {
  const child = spawn(process.execPath, [self, childMode], { stdio: ['ignore', 'pipe', 'ignore'] });
  const left = new Promise((resolve) => child.once('exit', resolve));
  const pid = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(Number(String(data)))));
  await left;
  return pid;
}

const leaveWithInput = () => process.stdin.on('end', () => process.exit(0)).resume();

switch (mode) {
  case 'child':
    beStubborn();
    process.stdout.write(String(process.pid));
    break;
  case 'parent-that-leaves': {
    const child = await start('child', { detached: true });
    process.stdout.write(String(child), () => process.exit(0));
    break;
  }
  case 'inner':
    beStubborn();
    report({ server: Number(reportTo), grandchild: process.pid });
    break;
  case 'stubborn':
    beStubborn();
    report({ server: process.pid });
    break;
  case 'wrapper':
    spawn(process.execPath, [self, 'inner', String(process.pid)], { stdio: 'inherit' }).on('exit', (code) =>
      process.exit(code ?? 1),
    );
    break;
  case 'orphans': {
    const inner = spawn(process.execPath, [self, 'inner', String(process.pid)], { stdio: 'inherit' });
    inner.unref();
    setTimeout(() => process.exit(0), 300);
    break;
  }
  case 'setsid':
    report({ server: process.pid, grandchild: await start('child', { detached: true }) });
    leaveWithInput();
    break;
  case 'double-fork':
    report({ server: process.pid, grandchild: await startAndPart('parent-that-leaves') });
    leaveWithInput();
    break;
  case 'hidden':
    report({ server: process.pid, grandchild: await start('child', { detached: true, env: {} }) });
    leaveWithInput();
    break;
  default:
    process.exitCode = 2;
}
