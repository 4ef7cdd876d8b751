/** A keychain for tests: a module of the shape of `@napi-rs/keyring`, over a file beside it, with a vice if one is wanted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

/**
 * `hang` blocks its thread as a locked keychain does, `hang-on-set` where something is kept; `refuse` throws, repeating what it was given; `crash`
 * ends its process.
 */
export type KeyringVice = 'none' | 'hang' | 'hang-on-set' | 'refuse' | 'crash';

export interface TestKeyring {
  /** Path of the module. */
  readonly module: string;
  /** From now on it has another vice. */
  become(vice: KeyringVice): void;
  /** How often it was asked for anything. */
  asked(): number;
  /** What the keychain holds: `service name` to value. */
  items(): Readonly<Record<string, string>>;
}

/** A keychain of its own; `mostCharacters` bounds an item as Windows does. */
export function makeKeyring(vice: KeyringVice = 'none', mostCharacters = Infinity): TestKeyring {
  const folder = tempFolder();
  const module = join(folder, 'keyring.cjs');
  const file = join(folder, 'items.json');
  const asked = join(folder, 'asked');
  writeFileSync(file, '{}');
  writeFileSync(asked, '');
  const become = (next: KeyringVice): void => writeFileSync(module, program({ file, asked }, next, mostCharacters));
  become(vice);
  return {
    module,
    become,
    asked: () => readFileSync(asked, 'utf8').length,
    items: () => JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>,
  };
}

function program(
  { file, asked }: { readonly file: string; readonly asked: string },
  vice: KeyringVice,
  mostCharacters: number,
): string {
  return `
    const fs = require('node:fs');
    const file = ${JSON.stringify(file)};
    const read = () => JSON.parse(fs.readFileSync(file, 'utf8'));
    const write = (items) => fs.writeFileSync(file, JSON.stringify(items));
    const vice = (value) => {
      fs.appendFileSync(${JSON.stringify(asked)}, '.');
      const hangs = ${JSON.stringify(vice)} === 'hang' || (${JSON.stringify(vice)} === 'hang-on-set' && value !== undefined);
      if (hangs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
      if (${JSON.stringify(vice)} === 'refuse') throw new Error('access denied\\n for ' + value);
      if (${JSON.stringify(vice)} === 'crash') process.abort();
    };
    exports.AsyncEntry = class {
      constructor(service, name, { linux }) {
        if (linux.store !== 'secret-service') throw new Error('the kernel forgets');
        this.key = service + ' ' + name;
      }
      async getPassword() { vice(); return read()[this.key] ?? null; }
      async setPassword(value) {
        vice(value);
        if (value.length > ${mostCharacters}) throw new Error('too long');
        write({ ...read(), [this.key]: value.toWellFormed() });
      }
      async deleteCredential() {
        vice();
        const { [this.key]: gone, ...rest } = read();
        write(rest);
        return gone !== undefined;
      }
    };
    exports.findCredentialsAsync = async (service) => {
      vice();
      return Object.entries(read()).filter(([key]) => key.startsWith(service + ' '))
        .map(([key, password]) => ({ account: key.slice(service.length + 1), password }));
    };
  `;
}
