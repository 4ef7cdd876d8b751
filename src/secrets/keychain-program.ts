/**
 * The program that talks to the keychain: a process of its own, since a keychain that hangs (locked, its dialog out of sight) holds a
 * thread that nothing can end, and no process can exit while it does. What to do comes in by standard input, what came of it goes out
 * as one line of JSON: no secret stands where other users can see it. A text, so that it survives bundling.
 */
export const keychainProgram = `
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { keyring, service, steps, deadlineMs } = JSON.parse(text);
// Its parent may be gone by then; exiting would wait for the keychain.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), deadlineMs).unref();
const answer = (value) => process.stdout.write(JSON.stringify(value));
try {
  const { createRequire } = await import('node:module');
  const { AsyncEntry, findCredentialsAsync } = createRequire(keyring)(keyring);
  // Never the kernel's own keyring, which forgets at the next start of the machine.
  const entry = (name) => new AsyncEntry(service, name, { linux: { store: 'secret-service' } });
  const results = [];
  for (const { action, name, value } of steps) {
    if (action === 'get') results.push((await entry(name).getPassword()) ?? null);
    else if (action === 'set') results.push((await entry(name).setPassword(value), true));
    else if (action === 'remove') results.push(await entry(name).deleteCredential());
    else {
      // Finding alone would look into the kernel's keyring where nothing else is there.
      entry('any');
      results.push((await findCredentialsAsync(service)).map(({ account }) => account));
    }
  }
  answer({ results });
} catch (error) {
  answer({ refusal: error instanceof Error ? error.message : String(error) });
}
`;
