import type { Definition } from '../../config/index.ts';
import type { Asker } from '../asker.ts';
import type { Core } from '../core.ts';

/**
 * Whether commands know a definition by its name: it stands in the configuration of whoever asks, in that of their project, or in the
 * registry. A file that somebody names, and what somebody just typed, are none of that.
 */
export function isConfigured(core: Pick<Core, 'config'>, { name, source }: Definition, asker: Asker): boolean {
  if (source.scope !== 'project' || source.shape === 'registry') return source.scope !== 'ad-hoc';
  const { servers, waiting } = core.config(asker);
  const known = [servers.get(name), waiting.get(name)?.definition].filter((one) => one !== undefined);
  return known.some((one) => one.source.file === source.file && one.source.shape === source.shape);
}
