/** A keychain for tests: a module of the shape of `@napi-rs/keyring`, over a file beside it, with a vice if one is wanted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** `hang` blocks its thread as a locked keychain does; `refuse` throws, repeating what it was given; `crash` ends its process. */
export type KeyringVice = 'none' | 'hang' | 'refuse' | 'crash';

export interface TestKeyring {
  /** Path of the module. */
  readonly module: string;
  /** What the keychain holds: `service name` to value. */
  items(): Readonly<Record<string, string>>;
}

/** A keychain of its own; `mostCharacters` bounds an item as Windows does. */
export function makeKeyring(vice: KeyringVice = 'none', mostCharacters = Infinity): TestKeyring {
  const folder = tempFolder();
  const module = join(folder, 'keyring.cjs');
  const file = join(folder, 'items.json');
  writeFileSync(file, '{}');
  writeFileSync(module, program(file, vice, mostCharacters));
  return { module, items: () => JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>> };
}

function program(file: string, vice: KeyringVice, mostCharacters: number): string {
  return `
    const fs = require('node:fs');
    const file = ${JSON.stringify(file)};
    const read = () => JSON.parse(fs.readFileSync(file, 'utf8'));
    const write = (items) => fs.writeFileSync(file, JSON.stringify(items));
    const vice = (value) => {
      if (${JSON.stringify(vice)} === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
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
