/** The lines by which other tools add a server: how they begin, their flags, and what stands behind. */
import type { JsonObject } from '../../base/index.ts';

/** What the value of a flag is; an object: what a flag without a value, or of no concern, does. */
export type FlagMeaning =
  | 'env'
  | 'header'
  | 'transport'
  | 'url'
  /** The variable that holds a bearer token. */
  | 'token-variable'
  | 'client-id'
  | 'redirect-port'
  /** A time limit. */
  | 'milliseconds'
  | 'description'
  /** Names of tools, with commas between them. */
  | 'allow'
  | 'deny'
  | {
      /** Whether it has no value. */
      readonly switch: boolean;
      /** A clause for a person, where something is lost. */
      readonly why?: string;
      /** Members of the entry. */
      readonly sets?: JsonObject;
    };

export interface LineForm {
  /** The words that it begins with; `*` is any. */
  readonly begins: readonly string[];
  readonly flags: Readonly<Record<string, FlagMeaning>>;
  /** What stands after those words, flags apart; a line is a command in one word, as it would be typed. */
  readonly rest: 'name and server' | 'name and line' | 'name and json' | 'json';
}

/** Where the tool would keep it. */
const place = { '--scope': { switch: false }, '-s': { switch: false } } as const;

const many = { '--env': 'env', '--header': 'header' } as const;

const claudeFlags = {
  ...place,
  ...many,
  '-e': 'env',
  '-H': 'header',
  '--transport': 'transport',
  '-t': 'transport',
} as const;

/** Those of Gemini CLI, which took most from Claude Code. */
const geminiFlags = {
  ...claudeFlags,
  '--type': 'transport',
  '--timeout': 'milliseconds',
  '--trust': { switch: true, why: 'has no equal: whether a call is asked about is said by tools.ask' },
  '--description': 'description',
  '--include-tools': 'allow',
  '--exclude-tools': 'deny',
} as const;

const secretIsTyped = { switch: true, why: 'has a value that is typed there: put it into auth.clientSecret' } as const;

export const lineForms: readonly LineForm[] = [
  {
    begins: ['claude', 'mcp', 'add-json'],
    flags: { ...place, '--client-secret': secretIsTyped },
    rest: 'name and json',
  },
  {
    begins: ['claude', 'mcp', 'add'],
    flags: {
      ...claudeFlags,
      '--client-id': 'client-id',
      '--client-secret': secretIsTyped,
      '--callback-port': 'redirect-port',
    },
    rest: 'name and server',
  },
  { begins: ['*', '--add-mcp'], flags: {}, rest: 'json' },
  {
    begins: ['codex', 'mcp', 'add'],
    flags: {
      '--env': 'env',
      '--url': 'url',
      '--bearer-token-env-var': 'token-variable',
      '--oauth-client-id': 'client-id',
      '--oauth-resource': { switch: false, why: 'has no equal: tokens are asked for the URL itself' },
    },
    rest: 'name and server',
  },
  { begins: ['gemini', 'mcp', 'add'], flags: geminiFlags, rest: 'name and server' },
  {
    begins: ['opencode', 'mcp', 'add'],
    flags: { ...many, '--url': 'url', '--global': { switch: true } },
    rest: 'name and server',
  },
  { begins: ['amp', 'mcp', 'add'], flags: { ...many, '--workspace': { switch: true } }, rest: 'name and server' },
  {
    begins: ['droid', 'mcp', 'add'],
    flags: { ...many, '--type': 'transport', '--disabled': { switch: true, sets: { enabled: false } } },
    rest: 'name and line',
  },
  // Many have taken over the line of Claude Code; a flag of their own is refused, not guessed at.
  { begins: ['*', 'mcp', 'add'], flags: { ...geminiFlags, '--url': 'url' }, rest: 'name and server' },
];
