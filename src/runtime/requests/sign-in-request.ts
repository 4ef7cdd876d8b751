import type { Definition } from '../../config/index.ts';
import type { Person, SignedOut } from '../../session/index.ts';
import type { Asker } from '../asker.ts';
import type { Caller } from '../caller.ts';

/** A person signs in to a server that is reached over HTTP. */
export interface SignInRequest extends Asker {
  /** A configured name, or a definition that may be connected to. */
  readonly server: string | Definition;
  /** One of several sign-ins to the same server; default: the one of the definition, else the one used last. */
  readonly account?: string | undefined;
  /** Scopes beyond those that the server asks for, separated by blanks. */
  readonly scopes?: string | undefined;
  readonly person: Person;
  readonly signal?: AbortSignal | undefined;
}

export interface SignInValue {
  readonly server: string;
  readonly account: string;
  readonly issuer: string;
  /** What was granted, where the authorization server says so: else what was asked for. */
  readonly scopes?: string;
  /** ISO 8601; absent where the authorization server does not say. */
  readonly expiresAt?: string;
  /** Whether it goes on by itself after that. */
  readonly renews: boolean;
  /** Where it is kept. */
  readonly place: string;
}

export interface SignOutRequest {
  /** A name, also of a server that is disabled or that only the registry knows; a URL; or a definition, which may stand in no file any more. */
  readonly server: string | Definition;
  /** Default: all accounts. */
  readonly account?: string | undefined;
  /**
   * Default true. False: all accounts are forgotten on this machine, without a word to the authorization server; those of a URL that
   * another configured server has are kept.
   */
  readonly withdraw?: boolean;
  /** Whoever gives up is signed out here all the same, and waits for no word of the authorization server. */
  readonly signal?: AbortSignal | undefined;
  readonly caller?: Caller | undefined;
}

export interface SignOutValue {
  readonly server: string;
  /** Those that were signed in. */
  readonly accounts: readonly SignedOut[];
  /** Other accounts that are signed in to it still. */
  readonly left: readonly string[];
}
