/** A definition: how to reach one server, as somebody wrote it, with the shapes of servers.json converted to one. */
import type { ToolRules } from '../policy/index.ts';
import type { Endpoint, Framing, HttpTransportChoice } from '../wire/index.ts';
import type { DefinedAuth, ResolvedAuth } from './auth.ts';

/** Where a definition was read. */
export interface DefinitionSource {
  /** Absolute path of the file; undefined for one given on the command line or named by the environment. */
  readonly file: string | undefined;
  readonly shape: 'mcpServers' | 'mcp' | 'environment' | 'ad-hoc' | 'registry';
  readonly scope: 'user' | 'project' | 'ad-hoc';
}

/** Values as written: `${…}` references are not resolved. */
export type DefinedTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
      readonly framing: Framing;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly choice: HttpTransportChoice;
      readonly redirects: 'same-origin' | 'none';
      /** For a URL that nobody's definition names: what lies on this machine and in its networks is out of reach (A1, H11). */
      readonly reach?: 'public';
    };

export interface Definition {
  readonly name: string;
  /** Its folder in the registry: the name; of a project's server with a mark of its file, so that no two projects share one. */
  readonly registryName: string;
  readonly source: DefinitionSource;
  readonly transport: DefinedTransport;
  readonly enabled: boolean;
  readonly description: string | undefined;
  /** Idle limit of a request, milliseconds; undefined = default. */
  readonly timeoutMs: number | undefined;
  readonly lifecycle: 'lazy' | 'eager' | 'keep-alive';
  /** Undefined = default; 0 = never closed for idleness. */
  readonly idleMinutes: number | undefined;
  readonly sharing: 'scope' | 'shared';
  readonly protocol: 'auto' | 'legacy' | 'modern';
  /** Further initialize-era dates offered and accepted. */
  readonly protocolVersions: readonly string[];
  /** How it is signed in to, where the entry says so; a remote server may ask for a sign-in all the same. */
  readonly auth: DefinedAuth | undefined;
  /** `none`, `bearer` (an Authorization header is configured), or the kind of `auth`; as recorded in the registry. */
  readonly authKind: string;
  /** Which of its tools may be called; undefined where the entry has no lists. */
  readonly tools: ToolRules | undefined;
  /** Names of members that this version knows but does not act on yet, and of unknown ones. */
  readonly ignored: readonly string[];
}

/** A definition with every reference resolved. */
export interface ResolvedServer {
  readonly definition: Definition;
  readonly endpoint: Endpoint;
  readonly auth: ResolvedAuth | undefined;
  /** Values to redact. */
  readonly secrets: readonly string[];
  /** Hash of the definition as written (canonical). */
  readonly definitionHash: string;
  /** Digest of the resolved values and PATH, keyed with a random key of this process: says whether they are the same, not what they are. */
  readonly valuesDigest: string;
}
