/** The picture of the house that the architecture test holds: floors, doors, and who may touch what. */

/** Floor of every room; imports go down only. `index.ts` at the top is the library's door. */
export const floors: Readonly<Record<string, number>> = {
  base: 0,
  wire: 1,
  registry: 1,
  policy: 1,
  secrets: 1,
  config: 2,
  session: 2,
  context: 2,
  pool: 3,
  runtime: 4,
  toolsets: 5,
  daemon: 5,
  'hosts/gateway': 6,
  'hosts/ai-sdk': 6,
  'hosts/chat': 6,
  viewer: 6,
  cli: 7,
  'hosts/pi': 8,
  program: 8,
  'index.ts': 8,
};

/** A package or builtin that only some rooms (or files) may import, types included. */
export interface ForeignDoor {
  readonly name: string;
  readonly specifier: RegExp;
  /** Prefixes of paths under src. */
  readonly rooms: readonly string[];
  /** Rooms that may import its types, beside `rooms`. */
  readonly types?: readonly string[];
}

export const foreignDoors: readonly ForeignDoor[] = [
  {
    name: 'the file system',
    specifier: /^(node:)?fs(\/promises)?$/,
    // One reads the system's source of chance, the other runs before anything of ours is loaded.
    rooms: ['base/files/', 'base/random.ts', 'program/code-folder.ts'],
  },
  { name: 'child processes', specifier: /^(node:)?child_process$/, rooms: ['wire/', 'daemon/', 'secrets/'] },
  {
    name: "the SDK's client",
    specifier: /^@modelcontextprotocol\/(client|core)(\/|$)/,
    rooms: ['session/'],
    types: ['wire/'],
  },
  {
    name: "the SDK's server",
    specifier: /^@modelcontextprotocol\/(server|node|express)(\/|$)/,
    rooms: ['hosts/gateway/'],
  },
  { name: 'the HTTP client', specifier: /^undici(\/|$)/, rooms: ['wire/'] },
  {
    name: 'sockets',
    specifier: /^(node:)?(http|https|http2|net|tls|dgram|dns)(\/promises)?$/,
    rooms: ['wire/', 'daemon/', 'hosts/gateway/', 'viewer/'],
  },
  { name: "the system's keychain", specifier: /^@napi-rs\//, rooms: ['secrets/'] },
  { name: "Pi's types", specifier: /^@earendil-works\//, rooms: ['hosts/pi/'] },
];

/**
 * Packages, and parts of Node.js, that cost more to load than the work of a cheap command; none may be reached by static imports
 * from {@link startUpPaths}. Where a part of Node.js is needed there, `process.getBuiltinModule` loads it at that moment, and not
 * all that it would load for whoever imports it.
 */
export const heavyPackages =
  /^(zod|undici|ajv|ajv-formats|gpt-tokenizer|minisearch|yaml|smol-toml|@modelcontextprotocol\/.*|node:(crypto|https?|http2|net|tls|dgram|dns|stream|util|url|events|child_process|worker_threads|readline|zlib|vm))(\/|$)/;

/** Where a process may begin; what these reach statically is loaded by every command. */
export const startUpPaths: readonly string[] = ['program/main.ts', 'runtime/index.ts', 'toolsets/index.ts'];

/** An ambient input: something read from, or done to, the process without being handed in. */
export interface Ambient {
  readonly name: string;
  /** Matched against the tokens of a file joined by nothing: `process.env`, `Date.now(`. A leading member access does not count. */
  readonly expression: RegExp;
  readonly rooms: readonly string[];
}

/** base wraps time and chance for all rooms, and its lock compares stamps between processes. */
const edges: readonly string[] = ['program/', 'cli/', 'hosts/', 'index.ts'];

export const ambients: readonly Ambient[] = [
  {
    name: "the process's environment, arguments, streams, folder or end",
    expression: /^process\.(env|argv|execArgv|stdin|stdout|stderr|exit|exitCode|abort|cwd|chdir|on|once|title|umask)$/,
    rooms: edges,
  },
  { name: 'the console', expression: /^console\.\w+$/, rooms: [] },
  { name: 'the wall clock', expression: /^(Date\.now|new Date\(\)|performance\.now)$/, rooms: ['base/'] },
  {
    name: 'a timer nobody can move by hand',
    expression: /^(setTimeout|setInterval|AbortSignal\.timeout)$/,
    rooms: [...edges, 'base/'],
  },
  { name: 'chance', expression: /^Math\.random$/, rooms: ['base/'] },
  { name: "the machine's folders and names", expression: /^(homedir|tmpdir|hostname|userInfo)$/, rooms: edges },
  { name: "Node.js's own fetch", expression: /^(fetch|globalThis\.fetch)$/, rooms: ['wire/http/http-fetch.ts'] },
];
