/** A process that sets four secrets: `set-secrets.ts STATE-FOLDER PREFIX`. */
import { openSecretStore } from '../../src/secrets/index.ts';

const [stateFolder = '', prefix = ''] = process.argv.slice(2);
const store = openSecretStore({ stateFolder, env: process.env, platform: process.platform, prefer: 'file' });
for (const at of [0, 1, 2, 3]) await store.set(`${prefix}${at}`, `value-of-${prefix}${at}`);
