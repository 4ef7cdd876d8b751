/** Who is configured, as somebody who asks sees it. */
import type { TrestleError } from '../base/index.ts';
import type { Definition } from './definition.ts';

/** The files of one home. */
export interface ConfigPlaces {
  /** `<home>/servers.json` or Pi's mcp-servers.json. */
  readonly serversFile: string;
  readonly settingsFile: string;
  /** Whether the environment names a servers file inside the project: then what stands in it is the project's. */
  readonly isOfProject?: boolean;
}

export interface ConfigView {
  /** Usable definitions by name, sorted by name; disabled and refused ones included, and a project's once they are approved. */
  readonly servers: ReadonlyMap<string, Definition>;
  /** What a project asks for and nobody has approved, sorted by name; a name may stand in `servers` too, and then means that one. */
  readonly waiting: ReadonlyMap<string, WaitingServer>;
  /** Entries that could not be used, by name. */
  readonly broken: ReadonlyMap<string, TrestleError>;
  /** Lines a person should see once: ignored project files, members without effect. */
  readonly notices: readonly string[];
}

/** What is known of a project's definition. */
export type Verdict = 'approved' | WhyWaiting;

/** Why nothing is started of a server that a project asks for. */
export type WhyWaiting = 'not approved' | 'changed since approval';

/** A server that a project asks for and nobody has approved. */
export interface WaitingServer {
  readonly definition: Definition;
  readonly why: WhyWaiting;
}
