/** What a search of tools is asked, and what it answers. */
import type { RegistryFinding, SearchPage } from '../../registry/index.ts';
import type { Asker } from '../asker.ts';

export interface ToolSearch extends Asker {
  /** Words in any order and language; the parts of names are words too. Must have something other than white space. */
  readonly query: string;
  /** Only tools of this server. Default: of every server that is configured and enabled. */
  readonly server?: string | undefined;
  /** Tools on a page, 1 to 100; default 10. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface FoundTools extends SearchPage {
  /** What of the registry cannot be read, and so cannot be found. */
  readonly findings: readonly RegistryFinding[];
}
