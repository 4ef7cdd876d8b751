import { limits, TrestleError } from '../../src/base/index.ts';
import type { ShownBlock } from '../../src/policy/index.ts';
import type {
  CallRequest,
  CallValue,
  Outcome,
  ReadRequest,
  ReadValue,
  ResourceLists,
  Runtime,
} from '../../src/runtime/index.ts';

const unused = (): never => {
  throw new Error('not expected of this runtime');
};

/** A runtime whose answers a test gives; anything it did not give throws. */
export function createFakeRuntime(
  answers: {
    readonly call?: (request: CallRequest) => Promise<Outcome<CallValue>>;
    readonly read?: (request: ReadRequest) => Promise<Outcome<ReadValue>>;
    readonly listResources?: Runtime['listResources'];
    readonly listTools?: Runtime['listTools'];
    readonly post?: Runtime['post'];
    readonly disconnect?: Runtime['disconnect'];
    readonly config?: Runtime['config'];
    readonly places?: Runtime['places'];
    readonly settings?: Runtime['settings'];
    readonly present?: Runtime['present'];
    readonly keep?: Runtime['keep'];
    readonly redact?: Runtime['redact'];
  } = {},
): Runtime {
  return {
    get registry(): never {
      return unused();
    },
    get places() {
      return answers.places ?? unused();
    },
    config: answers.config ?? unused,
    callable: unused,
    checkFiles: unused,
    settings:
      answers.settings ??
      (() => ({
        outputGuard: {
          enabled: true,
          maxBytes: limits.shownBytes,
          maxLines: limits.shownLines,
          detailsMaxBytes: limits.detailsBytes,
        },
        idleMinutes: limits.idleMinutes,
        requireConsent: false,
        destructiveTools: 'allow',
        requestTimeoutMs: undefined,
        contextBudgetTokens: limits.contextBudgetTokens,
        secretStore: 'auto' as const,
        schemaToolLimit: limits.schemaToolLimit,
        shareServers: false,
        footer: true,
        notices: [],
        unused: [],
      })),
    call: answers.call ?? unused,
    read: answers.read ?? unused,
    listResources: answers.listResources ?? unused,
    variables: () => [],
    checkCall: async () => undefined,
    checkServer: async () => undefined,
    listTools: answers.listTools ?? unused,
    listPrompts: unused,
    getPrompt: unused,
    inspect: unused,
    post: answers.post ?? unused,
    sync: unused,
    reload: unused,
    doctor: unused,
    forget: unused,
    answer: unused,
    approvals: unused,
    approve: unused,
    revoke: unused,
    disconnect: answers.disconnect ?? unused,
    search: unused,
    signIn: unused,
    signOut: unused,
    status: unused,
    context: unused,
    refreshContext: unused,
    refreshSignIns: unused,
    inlinedTokens: unused,
    holdsKept: unused,
    present: answers.present ?? (async (blocks: readonly ShownBlock[]) => ({ blocks, cut: undefined })),
    keep: answers.keep ?? (async () => undefined),
    redact: answers.redact ?? ((text) => text),
    subscribe: unused,
    closeScope: unused,
    close: unused,
  };
}

/** An outcome of a tool that returned one text. */
export function calledWith(text: string): Outcome<CallValue> {
  return {
    kind: 'ok',
    execution: 'done',
    notes: [],
    value: {
      tool: 'echo',
      result: { content: [{ type: 'text', text }] },
      shown: { blocks: [{ type: 'text', text }], cut: undefined },
    },
  };
}

/** An outcome of a read of these contents. */
export function readAs(contents: ReadValue['contents']): Outcome<ReadValue> {
  return {
    kind: 'ok',
    execution: 'done',
    notes: [],
    value: { uri: 'x://y', contents, shown: { blocks: [{ type: 'text', text: 'shown' }], cut: undefined } },
  };
}

/** An outcome of a list. */
export function listedAs(lists: Partial<ResourceLists>): Outcome<ResourceLists> {
  return {
    kind: 'ok',
    execution: 'done',
    notes: [],
    value: { resources: [], resourceTemplates: [], problems: [], ...lists },
  };
}

/** A failure that a runtime may report. */
export const crashed = new TrestleError({
  code: 'server_exited',
  message: 'everything exited with code 7.',
  hint: 'Look at its last words.',
  execution: 'unknown',
  details: { stderr: 'boom' },
});
