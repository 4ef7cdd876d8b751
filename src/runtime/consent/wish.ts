/** What somebody wants to do with a server, and why a person has to be asked for it. */
import type { JsonObject, Scope } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { Wanted } from '../../policy/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';
import type { Caller } from '../caller.ts';

export type Need =
  /** To start or connect to it, as a person's own commands do. */
  | { readonly kind: 'connect' }
  /** To read or list; `what` tells one request from another. */
  | { readonly kind: 'use'; readonly what: string }
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly arguments: JsonObject;
      /** Undefined while nothing is known of the tool. */
      readonly descriptor: ToolDescriptor | undefined;
      /** Nothing more will be known of it before it is called. */
      readonly isFinal?: boolean;
    };

export interface Wish {
  readonly definition: Definition;
  /** Default: the runtime's own. */
  readonly caller?: Caller | undefined;
  /** Default: the runtime's own. */
  readonly scope?: Scope | undefined;
  readonly need: Need;
}

/** Why a person has to be asked, and for how much. */
export interface Reason {
  readonly kind: Wanted['kind'];
  /** The rule, for the question: `requireConsent in …/settings.json`. */
  readonly rule: string;
}
