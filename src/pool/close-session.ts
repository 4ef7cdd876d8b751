import type { Log, TrestleError } from '../base/index.ts';
import type { Session } from '../session/index.ts';

/** Closes a session. Resolves when nothing of it is left; never rejects. */
export async function closeSession(session: Session, reason: TrestleError, log: Log): Promise<void> {
  try {
    await session.close(reason);
  } catch (error) {
    log.warn(`closing failed: ${String(error)}`, session.info.server);
  }
}
