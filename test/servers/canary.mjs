// A server that writes down that it was started, whatever comes of it: `canary.mjs LABEL FILE`. It then is the counting server.
import { appendFileSync } from 'node:fs';

const [label, file] = process.argv.slice(2);
appendFileSync(file, `${label}\n`);
process.argv.splice(2, 2, 'stdio', `${file}.ran`);
await import('./counting.mjs');
