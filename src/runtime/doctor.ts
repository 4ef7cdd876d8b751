/** `doctor`: every server looked at, and the files of the home. */
import { asTrestleError, type ErrorCode, errorCodes, forEachAtOnce, limits } from '../base/index.ts';
import { type Core, shownFailure } from './core.ts';
import type { DoctorReport, DoctorRequest, ServerDiagnosis, Verdict } from './doctor-report.ts';
import { findServer } from './find-server.ts';
import { inspectHouse } from './house.ts';
import { inspectServer } from './inspect.ts';

/** Looks at everything. Rejects with `unknown_server` and `cancelled`. */
export async function examine(core: Core, request: DoctorRequest): Promise<DoctorReport> {
  const { names, house } = inspectHouse(core);
  const { server } = request;
  if (server !== undefined && !names.includes(server)) findServer(core, server);
  const chosen = names.filter((name) => server === undefined || name === server);
  const servers = await forEachAtOnce(chosen, limits.doctorAtOnce, async (name) => {
    const diagnosis = await diagnose(core, name, request);
    request.onDiagnosis?.(diagnosis);
    return diagnosis;
  });
  const isWrong = servers.some(({ verdict }) => verdict !== 'ok' && verdict !== 'disabled');
  return { servers, house, trouble: isWrong || house.some(({ level }) => level === 'trouble') };
}

async function diagnose(core: Core, name: string, request: DoctorRequest): Promise<ServerDiagnosis> {
  const startedMs = core.clock.monotonicMs();
  const limitMs = request.limitMs ?? limits.doctorServerMs;
  const { onStep } = request;
  try {
    const { info, tools, problems } = await inspectServer(core, {
      server: name,
      scope: request.scope,
      caller: request.caller,
      timeoutMs: limitMs,
      maxTotalMs: limitMs,
      signal: request.signal,
      ...(onStep === undefined ? {} : { onStep: (line: string) => onStep(name, line) }),
    });
    const durationMs = core.clock.monotonicMs() - startedMs;
    return { name, verdict: 'ok', durationMs, info, tools: tools.length, problems, failure: undefined };
  } catch (thrown) {
    if (request.signal?.aborted === true) throw thrown;
    const { failure } = shownFailure(core, asTrestleError(thrown));
    const verdict = verdictOf(failure.code);
    const durationMs = verdict === 'disabled' ? 0 : core.clock.monotonicMs() - startedMs;
    return { name, verdict, durationMs, info: undefined, tools: undefined, problems: [], failure };
  }
}

/** What a failure comes to. */
export function verdictOf(code: ErrorCode): Verdict {
  if (code === 'disabled') return 'disabled';
  if (code === 'auth_required') return 'needs-auth';
  return errorCodes[code] === 'denied' || code === 'unsupported_setting' ? 'blocked' : 'failed';
}
