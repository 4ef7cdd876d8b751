/**
 * What Trestle must do, one sentence an id. A test cites the ids it proves in its title (`T3: a line over the limit …`);
 * `npm run ids` lists what no test cites, and a claimed id without a test fails the build.
 */

/** The theme that delivers an id. */
export type Theme =
  | 'foundation'
  | 'connections'
  | 'context'
  | 'safety'
  | 'sign-in'
  | 'pi'
  | 'imports'
  | 'gateway'
  | 'chat'
  | 'viewer';

export interface Requirement {
  readonly id: string;
  readonly says: string;
  readonly since: Theme;
  /** The part that holds already although the whole comes later. */
  readonly already?: string;
}

/** Themes whose ids are claimed. */
const delivered: ReadonlySet<Theme> = new Set(['foundation', 'connections', 'context']);

export const requirements: readonly Requirement[] = [
  // S: one conversation with one server.
  {
    id: 'S1',
    since: 'foundation',
    says: 'Speaks every published revision, and refuses an unknown one naming the versions of both sides.',
  },
  {
    id: 'S2',
    since: 'foundation',
    says: 'Finds the era by a bounded probe, falls back to initialize, remembers the verdict; 401, 403 and 5xx decide nothing.',
  },
  { id: 'S3', since: 'foundation', says: 'Nothing but the probe goes before initialize and its notification.' },
  {
    id: 'S4',
    since: 'foundation',
    says: 'Replies are matched by id and by the type of id; a broken one fails its own call only, strays are counted.',
  },
  { id: 'S5', since: 'foundation', says: 'A JSON-RPC error and a result that says isError stay two different things.' },
  {
    id: 'S6',
    since: 'foundation',
    says: "A server's own requests are answered at once, by the host's ports or with -32601.",
  },
  {
    id: 'S7',
    since: 'foundation',
    says: 'Lists are read to their end within bounds; one malformed item does not lose the others.',
  },
  {
    id: 'S8',
    since: 'foundation',
    says: 'A server without tools is usable; a declared list that is not found is empty.',
  },
  {
    id: 'S9',
    since: 'foundation',
    says: 'Every request has an idle limit renewed by progress and a total limit, from lease to last byte.',
  },
  {
    id: 'S10',
    since: 'foundation',
    says: 'Cancel and timeout tell the server once, then ask for a sign of life; a dead server is replaced.',
  },
  {
    id: 'S11',
    since: 'connections',
    says: 'Bursts of list_changed give one refresh and at most one more; modern servers are listened to.',
  },
  {
    id: 'S12',
    since: 'foundation',
    says: 'Output schemas are checked after delivery; a mismatch is a note, never a loss.',
  },
  {
    id: 'S13',
    since: 'connections',
    says: 'Integers beyond a double keep their digits both ways.',
  },
  {
    id: 'S14',
    since: 'connections',
    says: 'Results that ask for input, task results and mirrored headers of the modern revision.',
  },
  { id: 'S15', since: 'foundation', says: 'A session has one visible state; requests outside of ready fail at once.' },

  // T: stdio.
  {
    id: 'T1',
    since: 'foundation',
    says: 'Program and arguments go item by item without a shell, with a listed environment and the right folder; what is missing is named.',
  },
  {
    id: 'T2',
    since: 'foundation',
    says: 'Newline-delimited UTF-8 JSON, split anywhere, tolerant of CR, blank lines and a byte order mark.',
  },
  {
    id: 'T3',
    since: 'foundation',
    says: 'Messages up to 16 MiB; a longer one is dropped in linear time and flat memory and fails only its own call.',
  },
  { id: 'T4', since: 'foundation', says: 'Noise on stdout is skipped, counted, and shown once.' },
  {
    id: 'T5',
    since: 'foundation',
    says: "stderr is always drained; its end stands in the server's errors with exit code or signal.",
  },
  {
    id: 'T6',
    since: 'connections',
    says: 'Content-Length framing, found without starting the server again.',
  },
  {
    id: 'T7',
    since: 'foundation',
    says: 'Closing ends the whole tree by grace and signals; a server that leaves in time is never signalled.',
  },
  {
    id: 'T8',
    since: 'foundation',
    says: 'Reading, writing and stderr never block one another; the write queue is bounded.',
  },
  {
    id: 'T9',
    since: 'connections',
    says: "A package in npx's cache is started without its launcher, and never looked for in a project's folders.",
  },

  // H: HTTP.
  {
    id: 'H1',
    since: 'foundation',
    says: 'Streamable HTTP, then HTTP+SSE, each from a fresh start; 401, 403 and 5xx end the search.',
  },
  {
    id: 'H2',
    since: 'foundation',
    says: 'The headers of each era, and session ids only from a successful initialize.',
  },
  {
    id: 'H3',
    since: 'foundation',
    says: 'JSON and event streams up to 16 MiB, read incrementally in every legal framing.',
  },
  {
    id: 'H4',
    since: 'connections',
    says: 'A cut stream resumes where the server gave ids, else ends its call at once.',
  },
  {
    id: 'H5',
    since: 'foundation',
    says: 'A lost session is started anew for the next use; a lost tool call is never sent again.',
  },
  { id: 'H6', since: 'foundation', says: 'Redirects never leave the origin; the target is named.' },
  { id: 'H7', since: 'foundation', says: 'HTML, empty answers, errors in a 4xx and 503 are told in one line each.' },
  {
    id: 'H8',
    since: 'connections',
    says: 'Proxies of the environment for every request, loopback direct.',
  },
  {
    id: 'H9',
    since: 'foundation',
    says: 'The endpoint of HTTP+SSE is resolved like a link and stays within its origin.',
  },
  {
    id: 'H10',
    since: 'connections',
    says: 'The event dialect, one call at a time a session.',
  },
  {
    id: 'H11',
    since: 'sign-in',
    says: 'Private addresses only where a definition names them; names resolved once and pinned.',
    already: 'all of it',
  },

  // P: the pool.
  {
    id: 'P1',
    since: 'foundation',
    says: 'Two keys never share a session; a changed definition closes its old entries.',
  },
  { id: 'P2', since: 'foundation', says: 'Concurrent first uses share one dial; the number of entries is bounded.' },
  { id: 'P3', since: 'connections', says: 'Lazy, eager and keep-alive lifecycles.' },
  {
    id: 'P4',
    since: 'connections',
    says: 'Signs of life are asked of kept entries and of long calls; three misses are death, but not for a call on stdio.',
  },
  {
    id: 'P5',
    since: 'connections',
    says: 'Keep-alive entries reconnect by themselves with bounded back-off.',
  },
  { id: 'P6', since: 'foundation', says: 'A dead connection ends every waiting call at once, with the reason.' },
  {
    id: 'P7',
    since: 'connections',
    says: 'A frozen child costs one call; the next runs on a new child.',
  },
  { id: 'P8', since: 'foundation', says: 'Closing a scope resolves when none of its processes is left.' },
  {
    id: 'P9',
    since: 'foundation',
    says: 'A host that dies leaves no server behind; what was left all the same is found.',
  },

  // R: the registry.
  {
    id: 'R1',
    since: 'foundation',
    says: 'A sync applies what changed and says it; edits of instructions are kept, references stay references.',
  },
  {
    id: 'R2',
    since: 'foundation',
    says: 'Files are written whole under a lock between processes; an interrupted sync is repaired by the next.',
  },
  {
    id: 'R3',
    since: 'foundation',
    says: 'File keys are safe and distinct on every system and never lead out of the folder.',
  },
  { id: 'R4', since: 'foundation', says: 'Server names are plain, short, and not reserved.' },
  { id: 'R5', since: 'foundation', says: 'validate checks every file and rebuilds the index.' },
  {
    id: 'R6',
    since: 'connections',
    says: 'Long-lived hosts reconcile the registry with the configuration.',
  },
  {
    id: 'R7',
    since: 'connections',
    says: 'With 10,000 tools, list and show read the index and one descriptor.',
  },
  {
    id: 'R8',
    since: 'safety',
    says: 'A changed descriptor is drift and voids its approval.',
    already: 'all of it',
  },

  // C: the context block.
  {
    id: 'C1',
    since: 'context',
    says: 'The block drops from schemas to names to counts until it fits its budget.',
  },
  {
    id: 'C2',
    since: 'context',
    says: 'The block says where descriptors are and that they must be read.',
  },
  { id: 'C3', since: 'context', says: 'The budget is exact, and counted once a change.' },
  { id: 'C4', since: 'context', says: 'The block is byte-identical while nothing changed.' },
  { id: 'C5', since: 'foundation', says: 'Text of servers is cleaned where it is shown, and findings are reported.' },
  { id: 'C6', since: 'context', says: 'status and context say what the block costs and why.' },
  {
    id: 'C7',
    since: 'context',
    says: 'Search over the registry, also through the tools.',
  },

  // B: the toolset bridge.
  {
    id: 'B1',
    since: 'foundation',
    says: 'CallMcpTool calls an exact name with checked arguments; an unknown name gets its nearest.',
  },
  {
    id: 'B2',
    since: 'foundation',
    says: 'FetchMcpResource and ListMcpResources; downloads are new files inside the working folder.',
  },
  { id: 'B3', since: 'foundation', says: 'Every kind of content has a form a model can read.' },
  { id: 'B4', since: 'foundation', says: 'The three definitions never change at run time.' },
  { id: 'B5', since: 'foundation', says: 'What is shown is bounded; the whole is in a private file named beside it.' },
  { id: 'B6', since: 'foundation', says: 'A tool object never throws for what a server or a model did.' },

  // A: the toolset adapter.
  { id: 'A1', since: 'connections', says: 'A target is a config file or a URL.' },
  { id: 'A2', since: 'connections', says: 'mcp_list lists, pages and closes.' },
  { id: 'A3', since: 'connections', says: 'mcp_call lists afresh and checks before each call.' },
  { id: 'A4', since: 'connections', says: 'mcp_request sends one raw request.' },
  { id: 'A5', since: 'connections', says: 'The adapter requires the tools capability.' },

  // K: consent, trust, secrets.
  {
    id: 'K1',
    since: 'safety',
    says: 'With requireConsent nothing runs before a person said yes.',
    already: 'all of it',
  },
  {
    id: 'K2',
    since: 'safety',
    says: 'Project files start nothing before a person approved exactly that.',
    already: 'all of it',
  },
  { id: 'K3', since: 'safety', says: 'Allow, deny and ask lists of tools.', already: 'all of it' },
  { id: 'K4', since: 'safety', says: 'Secrets appear in no output of any kind.', already: 'all of it' },
  {
    id: 'K5',
    since: 'foundation',
    says: 'References to variables in every spelling and to secrets; a missing one is an error that names it.',
  },
  { id: 'K6', since: 'sign-in', says: 'OAuth for people and machines.', already: 'all of it' },

  // F: files.
  { id: 'F1', since: 'imports', says: "Other tools' configurations are read, never written.", already: 'all of it' },
  {
    id: 'F2',
    since: 'foundation',
    says: 'JSONC with everything editors leave in it; a truncated file names line and column and is never written.',
  },
  { id: 'F3', since: 'foundation', says: 'Both shapes of servers.json; one bad entry does not lose the others.' },
  { id: 'F4', since: 'foundation', says: 'User and project files; edits keep comments and show the change.' },

  // L: the command line.
  { id: 'L1', since: 'foundation', says: 'The commands, with add and sync in one step.' },
  {
    id: 'L2',
    since: 'foundation',
    says: 'call types its arguments by the schema; stdout carries only the result, to the last byte.',
  },
  { id: 'L3', since: 'foundation', says: 'Exit codes say what kind of end it was.' },
  { id: 'L4', since: 'foundation', says: 'Progress on terminals, plain lines elsewhere, colour only where wanted.' },
  { id: 'L5', since: 'foundation', says: 'probe shows a server, and runs tools only when asked to.' },
  {
    id: 'L6',
    since: 'connections',
    says: 'doctor looks at every server and says what to do.',
  },
  {
    id: 'L7',
    since: 'connections',
    says: 'A daemon keeps the pool between commands, with the environment of each caller and never its own.',
  },
  {
    id: 'L8',
    since: 'foundation',
    says: 'What the registry can answer starts no server and loads nothing heavy; a refusal shows the corrected command.',
  },
  { id: 'L9', since: 'foundation', says: 'A URL or a command may stand where a name is expected; nothing is stored.' },

  // G, X, N, V: gateway, chat, Pi, viewer.
  { id: 'G1', since: 'gateway', says: 'All servers behind one, over every transport.' },
  { id: 'G2', since: 'gateway', says: 'Everything passes between any pair of eras.' },
  { id: 'G3', since: 'gateway', says: 'The event dialect beside it.' },
  { id: 'G4', since: 'gateway', says: 'Sessions are bound to their caller and end when idle.' },
  { id: 'G5', since: 'gateway', says: 'Loopback by default; limits for each caller.' },
  { id: 'G6', since: 'gateway', says: 'Health, metrics and traces.' },
  { id: 'X1', since: 'chat', says: 'Two kinds of model endpoints, streaming, with consent.' },
  { id: 'X2', since: 'chat', says: 'The loop from model to tool and back, with a limit.' },
  { id: 'N1', since: 'pi', says: 'The tools, the section and the command in Pi.', already: 'all of it' },
  { id: 'N2', since: 'pi', says: 'Pi ends by itself and nothing stays behind.', already: 'all of it' },
  { id: 'N3', since: 'pi', says: 'The settings and variables Pi users know.', already: 'all of it' },
  { id: 'V1', since: 'viewer', says: 'Tools with a page open it in a sandbox.' },
  { id: 'V2', since: 'viewer', says: 'A read-only dashboard.' },
];

/** Ids that a test must cite: delivered as a whole or in part. */
export const claimedIds: readonly string[] = requirements
  .filter((requirement) => delivered.has(requirement.since) || requirement.already !== undefined)
  .map((requirement) => requirement.id);

/** Ids whose source must have a mutant that turns a test red. */
export const mutantIds: readonly string[] = claimedIds.filter((id) => /^[THPRK]\d/.test(id));
