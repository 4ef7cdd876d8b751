/** What a host offers to the runtime. Every port is optional; a missing one means "no", said in one line. */
import type { SessionPorts } from '../session/index.ts';

export interface HostPorts {
  /** Absolute paths of the roots told to servers; default: the host's working folder. */
  readonly roots?: () => readonly string[];
  /** Answers a server's `sampling/createMessage`. */
  readonly sample?: NonNullable<SessionPorts['sample']>;
  /** Answers a server's `elicitation/create` (form mode). */
  readonly elicit?: NonNullable<SessionPorts['elicit']>;
}
