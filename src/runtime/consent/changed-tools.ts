/** Tools that are described differently from when a person approved them (R8). From files; nothing is started. */
import type { Definition } from '../../config/index.ts';
import type { Core } from '../core.ts';
import { wantedOf } from './permission.ts';

/** Their names, sorted; those that were approved again are none. */
export function changedSinceApproval(core: Core, definition: Definition): readonly string[] {
  return core.visible.tools(definition.registryName).value.flatMap((descriptor) => {
    const need = { kind: 'call', tool: descriptor.name, arguments: {}, descriptor } as const;
    const wanted = wantedOf(core, { definition, need }, 'use');
    const isVoided =
      !core.approvals.isApproved(wanted, core.scope) && core.approvals.voided(wanted, core.scope) !== undefined;
    return isVoided ? [descriptor.name] : [];
  });
}
