/** GNOME's keyring, unlocked, on a D-Bus of its own: a real keychain on a machine without a desktop. */
import { spawnSync } from 'node:child_process';
import { tempFolder } from './temp-folder.ts';

export interface KeyringSession {
  /** The environment of who lives in that session. */
  readonly env: Readonly<Record<string, string | undefined>>;
  close(): void;
}

/** Undefined where the programs for it are not installed. */
export function openKeyringSession(): KeyringSession | undefined {
  const home = tempFolder();
  const script = `
    set -e
    bus=$(dbus-daemon --session --fork --print-address=1 --print-pid=1)
    export DBUS_SESSION_BUS_ADDRESS=$(echo "$bus" | head -n 1)
    printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null
    echo "$bus"
  `;
  const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home };
  const started = spawnSync('sh', ['-c', script], { env, encoding: 'utf8', timeout: 20_000 });
  const [address = '', pid = ''] = started.stdout.trim().split('\n');
  if (started.status !== 0 || pid === '') return undefined;
  return {
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: address },
    // The keyring ends with its bus.
    close: () => process.kill(Number(pid)),
  };
}
