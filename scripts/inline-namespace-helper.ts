/**
 * A build step: the bundler's helpers are a file of their own, of which the file that every command loads needs one function.
 * That file gets the function itself, since at start-up a further file costs a millisecond.
 */

interface Chunk {
  readonly type: 'chunk' | 'asset';
  readonly name?: string | undefined;
  code?: string;
}

/** Makes an object of a module's exports; what the bundler calls `__exportAll`. */
const helper =
  '(all)=>{const made=Object.create(null);for(const name in all)Object.defineProperty(made,name,{get:all[name],enumerable:true});return made}';

const helperImport = /^import\s*\{\s*\w+ as (\w+)\s*\}\s*from\s*"\.\/rolldown-runtime-[\w-]+\.js";/;

/** For the chunk of this name. Throws when the bundler writes something else than this step knows. */
export function inlineNamespaceHelper(chunkName: string) {
  return {
    name: 'inline-namespace-helper',
    generateBundle(_options: unknown, bundle: Readonly<Record<string, Chunk>>): void {
      // The largest of this name is the group; others are modules that are called alike.
      const [chunk] = Object.values(bundle)
        .filter(({ type, name }) => type === 'chunk' && name === chunkName)
        .sort((a, b) => (b.code?.length ?? 0) - (a.code?.length ?? 0));
      const [statement, local] = helperImport.exec(chunk?.code ?? '') ?? [];
      if (chunk?.code === undefined || statement === undefined) {
        throw new Error(`The chunk ${chunkName} does not begin with the import of the bundler's one helper.`);
      }
      chunk.code = `const ${local}=${helper};${chunk.code.slice(statement.length)}`;
    },
  };
}
