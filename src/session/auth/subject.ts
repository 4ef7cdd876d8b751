/** Whose sign-in it is: one server as it is dialled. */
import type { HttpEndpoint } from '../../wire/index.ts';
import type { ResolvedAuth } from './resolved-auth.ts';

export interface SignInSubject {
  /** The configured name. */
  readonly server: string;
  readonly endpoint: HttpEndpoint;
  readonly auth: ResolvedAuth | undefined;
  /** What a person types to sign in; undefined for a server that is stored nowhere: it gets no stored credential (K6). */
  readonly command: string | undefined;
}
