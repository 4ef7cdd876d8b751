/** What a server has, as it says it at the moment: nothing of it is stored. */
import type { JsonObject, JsonValue } from '../../base/index.ts';
import type { Presented } from '../../policy/index.ts';
import type { ListedItem } from '../../registry/index.ts';
import type { SessionCounters, SessionInfo } from '../../session/index.ts';
import type { ServerRequest } from './server-request.ts';

export interface ReadRequest extends ServerRequest {
  readonly uri: string;
  readonly present?: boolean;
}

export interface ReadValue {
  readonly uri: string;
  /** As the server sent it. */
  readonly contents: readonly JsonValue[];
  readonly shown: Presented;
}

export interface ResourceLists {
  readonly resources: readonly ListedItem[];
  readonly resourceTemplates: readonly ListedItem[];
  readonly problems: readonly string[];
}

export interface ToolList {
  readonly info: SessionInfo;
  /** All pages; malformed ones left out. */
  readonly tools: readonly ListedItem[];
  readonly problems: readonly string[];
}

export interface PromptList {
  readonly prompts: readonly ListedItem[];
  readonly problems: readonly string[];
}

export interface PromptRequest extends ServerRequest {
  readonly prompt: string;
  /** Values by argument name, as the protocol has them: text. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly present?: boolean;
}

export interface PromptValue {
  readonly prompt: string;
  readonly description: string | undefined;
  /** `messages` as the server sent them: each with a role and one content block. */
  readonly messages: readonly JsonObject[];
  /** What may be shown: each message under its role; empty when `present` was false. */
  readonly shown: Presented;
}

/** A live look at a server; nothing is stored. */
export interface Inspection {
  readonly info: SessionInfo;
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly problems: readonly string[];
  readonly counters: SessionCounters;
}
