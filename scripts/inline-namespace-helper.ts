/**
 * A build step: the bundler's helpers are a file of their own, of which the files that are loaded at start-up need one function.
 * They get the function itself, since at start-up a further file costs a millisecond.
 */

import { type Bundle, type Chunk, groupChunk } from './chunk.ts';

/** Makes an object of a module's exports; what the bundler calls `__exportAll`. */
const helper =
  '(all)=>{const made=Object.create(null);for(const name in all)Object.defineProperty(made,name,{get:all[name],enumerable:true});return made}';

const helperImport = /^import\s*\{\s*\w+ as (\w+)\s*\}\s*from\s*"\.\/rolldown-runtime-[\w-]+\.js";/;

/** For the chunks of these names. Throws when the bundler writes something else than this step knows. */
export function inlineNamespaceHelper(chunkNames: readonly string[]) {
  return {
    name: 'inline-namespace-helper',
    generateBundle(_options: unknown, bundle: Bundle): void {
      for (const name of chunkNames) inline(groupChunk(bundle, name), name);
    },
  };
}

function inline(chunk: Chunk | undefined, chunkName: string): void {
  const [statement, local] = helperImport.exec(chunk?.code ?? '') ?? [];
  if (chunk?.code === undefined || statement === undefined) {
    throw new Error(`The chunk ${chunkName} does not begin with the import of the bundler's one helper.`);
  }
  chunk.code = `const ${local}=${helper};${chunk.code.slice(statement.length)}`;
}
