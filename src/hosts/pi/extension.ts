/**
 * The file that Pi loads at each of its starts: small, without imports of its own when it is built, and in a syntax that old releases
 * of Node.js can parse. It declares what there is; everything else is loaded when it is first needed.
 */
import type { HostModule } from './bridge.ts';
import type { Pi } from './pi.ts';
import { register } from './register.ts';
import { tell } from './tell.ts';

/** Called by Pi for each session. Starts nothing. */
export default function trestle(pi: Pi): void {
  if (isNodeOld()) {
    pi.on('session_start', (_event, context) =>
      tell(
        context,
        `Trestle needs Node.js 22.19 or later, and this is ${process.versions.node}: no MCP tools.`,
        'warning',
      ),
    );
    return;
  }
  const program = fromHere('./cli.js');
  register(pi, { load, program });
}

/** By `require`, which Pi's own loader does not take for its own: what is loaded so is neither read nor translated by it. */
function load(): HostModule {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)('./pi-host.js') as HostModule;
}

function fromHere(path: string): string {
  return process.getBuiltinModule('node:url').fileURLToPath(new URL(path, import.meta.url));
}

/** Pi's oldest releases run where Trestle does not. */
function isNodeOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 19);
}
