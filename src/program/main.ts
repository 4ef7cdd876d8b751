/** The command that this process was started with: its arguments, environment, streams and signals, read here and handed down. */
import { checkedUserHome, checkedWorkingFolder, mayBeTerminal } from '../base/index.ts';
import { runCommandLine } from '../cli/index.ts';
import { listenForInterruption } from './signals.ts';
import { standardStream } from './standard-stream.ts';

/** How long the process may take to end by itself after everything was closed and written. */
const lingerMs = 1_000;

/** Runs the command that this process was started with and sets its exit code. */
export async function main(): Promise<void> {
  const { env } = process;
  // Until it is known: a process that ends while its command still waits has not succeeded.
  process.exitCode = 1;
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    surroundings: {
      env,
      // Asked for when needed: help works without either.
      get cwd() {
        return checkedWorkingFolder(() => process.cwd());
      },
      get userHome() {
        return checkedUserHome(() => process.getBuiltinModule('node:os').homedir());
      },
      platform: process.platform,
      command: [process.execPath, process.argv[1] ?? ''],
      get temporaryFolder() {
        return process.getBuiltinModule('node:os').tmpdir();
      },
      readInput,
      get readHidden() {
        return process.stdin.isTTY ? readHiddenLine : undefined;
      },
      get inputTerminal() {
        return mayBeTerminal(0) && process.stdin.isTTY;
      },
      readLine: async (signal) => (await import('./read-line.ts')).readLine(process.stdin, signal),
    },
    stdout: standardStream(1, () => process.stdout),
    stderr: standardStream(2, () => process.stderr),
    interruption: () =>
      listenForInterruption({
        on: (signal, listener) => process.on(signal, listener),
        off: (signal, listener) => process.off(signal, listener),
        exit: (code) => process.exit(code),
      }),
  });
  // All output is written by now. Where nothing is under way the process would end by itself; it ends faster than Node.js takes itself
  // apart. A handle that somebody forgot must not keep the shell waiting.
  if (process.getActiveResourcesInfo().length === 0) process.exit();
  setTimeout(() => process.exit(), lingerMs).unref();
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readHiddenLine(): Promise<string> {
  const { readHidden } = await import('./hidden-input.ts');
  return readHidden(process.stdin);
}
