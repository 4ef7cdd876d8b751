/** Whose sign-in it is: one server as it is dialled. */
import type { HttpEndpoint } from '../../wire/index.ts';
import type { ResolvedAuth } from './resolved-auth.ts';

export interface SignInSubject {
  /** The configured name. */
  readonly server: string;
  readonly endpoint: HttpEndpoint;
  readonly auth: ResolvedAuth | undefined;
  /** What a person types to sign in; undefined for a server that their configuration does not name: there is no command for it. */
  readonly command: string | undefined;
  /** Whether sign-ins to it are stored, and used; what somebody just typed gets none (K6). */
  readonly isStored: boolean;
}
