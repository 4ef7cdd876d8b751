/**
 * A build step for the files that the command loads at every start. V8 compiles a function when it is first called, unless the
 * function stands in parentheses, and the compile cache of Node.js holds what was compiled when a file had just been loaded. So
 * without this step each start compiles some 250 functions, which takes a fifth of its time; with it, their code comes from the cache.
 * Only functions that a start calls are treated so: who has no compile cache, as a program that uses the library, would pay for all
 * others.
 */
import { basename } from 'node:path';
import { type Bundle, groupChunk } from './chunk.ts';
import { calledFunctions } from './training-run.ts';

/** A node of the syntax tree, of which only this is looked at. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

interface ParseContext {
  parse(code: string): unknown;
}

/** For the chunks of these names. */
export function compileAhead(chunkNames: readonly string[]) {
  return {
    name: 'compile-ahead',
    generateBundle(this: ParseContext, _options: unknown, bundle: Bundle): void {
      const chunks = chunkNames.map((name) => {
        const chunk = groupChunk(bundle, name);
        if (chunk?.code === undefined) throw new Error(`There is no chunk ${name}.`);
        return Object.assign(chunk, { code: asAscii(chunk.code) });
      });
      const called = calledFunctions(bundle);
      for (const chunk of chunks) {
        chunk.code = inParentheses(
          chunk.code,
          this.parse(chunk.code) as Node,
          called.get(basename(chunk.fileName)) ?? new Set(),
        );
      }
    },
  };
}

/** The same program: a text with one other sign in it takes twice the memory, and longer to read. */
function asAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * `code` with the functions that begin at `called` in parentheses. Declarations become constants, which stand before everything that
 * uses them. Methods and asynchronous arrow functions stay as they are: V8 compiles those late in any case.
 */
function inParentheses(code: string, program: Node, called: ReadonlySet<number>): string {
  const textOf = (node: Node): string => {
    let text = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      // `{ a }` is both a key and a value.
      if (child.start < at) continue;
      text += code.slice(at, child.start) + textOf(child);
      at = child.end;
    }
    text += code.slice(at, node.end);
    return called.has(node.start) && canStandInParentheses(node) ? `(${text})` : text;
  };
  const statements = childrenOf(program);
  const declarations = statements.filter(({ type, start }) => type === 'FunctionDeclaration' && called.has(start));
  const constants = declarations.map((node) => `${nameOf(node)}=(${withoutName(textOf(node))})`);
  const others = statements.filter((node) => !declarations.includes(node)).map(textOf);
  return [...(constants.length === 0 ? [] : [`const ${constants.join(',')};`]), ...others].join('\n');
}

function childrenOf(node: Node): readonly Node[] {
  const isMethod = node.type === 'MethodDefinition' || node['method'] === true || node['kind'] === 'get';
  return Object.entries(node)
    .flatMap(([member, value]): readonly unknown[] => (isMethod && member === 'value' ? [] : [value].flat()))
    .filter(isNode)
    .sort((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function canStandInParentheses({ type, async }: Node): boolean {
  return type === 'FunctionExpression' || (type === 'ArrowFunctionExpression' && async !== true);
}

/** The constant has the name already, and gives it to the function. */
function withoutName(declaration: string): string {
  return declaration.replace(/^(async )?function *(\*?) *[\w$]+/, '$1function$2');
}

function nameOf(declaration: Node): string {
  return String((declaration['id'] as { readonly name?: unknown }).name);
}
