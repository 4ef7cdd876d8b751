/** `doctor`: every server looked at, the files of the home, and what earlier runs left. */
import { asTrestleError, type ErrorCode, errorCodes, forEachAtOnce, limits, plural } from '../../base/index.ts';
import type { Session } from '../../session/index.ts';
import { type Core, shownFailure, shownText, withoutSecrets } from '../core.ts';
import { withSession } from '../requests/with-session.ts';
import { withoutDenied } from '../servers/denied-tools.ts';
import { findServer } from '../servers/find-server.ts';
import { readCatalogue } from '../sync/catalogue.ts';
import type { DoctorReport, DoctorRequest, ServerDiagnosis, Verdict } from './doctor-report.ts';
import { configuredNames, inspectHouse } from './house.ts';
import { findLeftServers } from './left-servers.ts';

/** Looks at everything. Rejects with `unknown_server` (or what else stands against a server that was named) and `cancelled`. */
export async function examine(core: Core, request: DoctorRequest): Promise<DoctorReport> {
  const names = chosenNames(core, request);
  const [house, left, servers] = await Promise.all([
    inspectHouse(core, request),
    findLeftServers(core.clock, request.server),
    forEachAtOnce(names, limits.doctorAtOnce, async (name) => {
      const diagnosis = await diagnose(core, name, request);
      request.onDiagnosis?.(diagnosis);
      return diagnosis;
    }),
  ]);
  const isWell = ({ verdict }: ServerDiagnosis): boolean => verdict === 'ok' || verdict === 'disabled';
  const trouble = !servers.every(isWell) || house.some(({ level }) => level === 'trouble') || (left ?? []).length > 0;
  return { servers, house, left, trouble };
}

function chosenNames(core: Core, request: DoctorRequest): readonly string[] {
  const { server: wanted } = request;
  const names = configuredNames(core, request);
  if (wanted === undefined) return names;
  if (!names.includes(wanted)) findServer(core, wanted, request);
  return [wanted];
}

async function diagnose(core: Core, name: string, request: DoctorRequest): Promise<ServerDiagnosis> {
  const startedMs = core.clock.monotonicMs();
  const durationMs = (): number => Math.round(core.clock.monotonicMs() - startedMs);
  try {
    return { ...(await look(core, name, request)), name, verdict: 'ok', durationMs: durationMs(), failure: undefined };
  } catch (thrown) {
    if (request.signal?.aborted === true) throw thrown;
    const { failure } = shownFailure(core, asTrestleError(thrown));
    const nothing = { info: undefined, tools: undefined, problems: [] };
    return { ...nothing, name, verdict: verdictOf(failure.code), durationMs: durationMs(), failure };
  }
}

/** Connects and reads every list; a server whose tools cannot be listed is of no use. */
async function look(
  core: Core,
  name: string,
  request: DoctorRequest,
): Promise<Pick<ServerDiagnosis, 'info' | 'tools' | 'problems'>> {
  const { scope, caller, signal, onStep, limitMs = limits.doctorServerMs } = request;
  const definition = findServer(core, name, request);
  // Unless somebody says otherwise, what the entry bears and no more.
  const idleMs = request.limitMs ?? Math.min(definition.timeoutMs ?? limitMs, limitMs);
  onStep?.(name, 'looking at it');
  const asked = {
    scope,
    caller,
    signal,
    timeoutMs: idleMs,
    maxTotalMs: limitMs,
    ...(onStep === undefined ? {} : { onStep: (line: string) => onStep(name, line) }),
  };
  const work = { definition, request: asked, subject: `${name}: look`, repeatable: true };
  return withSession(core, work, async (session, deadline) => {
    const { tools, toolsFailure, problems } = await readCatalogue(session, deadline);
    if (toolsFailure !== undefined) throw toolsFailure;
    return {
      info: withoutSecrets(core, session.info),
      tools: tools === undefined ? undefined : withoutDenied(definition, tools).length,
      problems: [...problems, ...oddities(session)].map((problem) => shownText(core, problem)),
    };
  });
}

/** What came over the connection since it was made that no server should send; it is skipped, and costs no call. */
function oddities(session: Session): readonly string[] {
  const { noise, noiseSample = '', strayReplies } = session.counters();
  const sends = session.info.link === 'stdio' ? 'prints to stdout' : 'sends';
  const often = noise === 1 ? '' : ` (${noise} times; the first)`;
  const answers = plural(strayReplies, 'answer');
  return [
    ...(noise === 0 ? [] : [`It ${sends} what is no MCP message; it is skipped${often}: ${noiseSample}`]),
    ...(strayReplies === 0 ? [] : [`It sent ${answers} that nobody waited for: late, twice, or to nobody's request.`]),
  ];
}

/** What a failure comes to. */
export function verdictOf(code: ErrorCode): Verdict {
  if (code === 'disabled') return 'disabled';
  if (code === 'auth_required') return 'needs-auth';
  return errorCodes[code] === 'denied' || code === 'unsupported_setting' ? 'blocked' : 'failed';
}
