/** Why a connection could not be made or broke before the server's answer, told from error codes and never from texts. */
import { limits, TrestleError, type Execution } from '../../base/index.ts';
import { type Proxy, proxyDetails, proxyHint } from './proxy-route.ts';

export interface FailedConnection {
  readonly url: string;
  readonly execution: Execution;
  /** Through which proxy, if through one. */
  readonly proxy?: Proxy | undefined;
  /** The connection to the proxy itself failed. */
  readonly isAtProxy?: boolean;
}

/** The `connection_failed` error for what undici threw. */
export function connectionFailure(thrown: unknown, failed: FailedConnection): TrestleError {
  const cause = rootCause(thrown);
  // What a proxy answered is told already.
  if (cause instanceof TrestleError) return cause;
  const code = codeOf(cause);
  const known = code === undefined ? undefined : knownReasons[code];
  const reason = known?.reason ?? (isCertificateError(code) ? 'its certificate is not trusted' : textOf(cause));
  const details = { ...(code === undefined ? {} : { reason: code }), ...proxyDetails(failed.proxy) };
  return new TrestleError({
    code: 'connection_failed',
    message: `${whatFailed(failed)}: ${reason}${code === undefined ? '' : ` (${code})`}.`,
    hint: hintFor(failed, code),
    execution: failed.execution,
    details: Object.keys(details).length === 0 ? undefined : details,
    cause: thrown,
  });
}

function whatFailed({ url, execution, proxy, isAtProxy }: FailedConnection): string {
  const { host, origin } = new URL(url);
  if (proxy !== undefined && isAtProxy === true) return `Cannot connect to the proxy ${proxy.shown}`;
  const through = proxy === undefined ? '' : ` through the proxy ${proxy.shown}`;
  return execution === 'not-sent'
    ? `Cannot connect to ${origin}${through}`
    : `The connection to ${host}${through} broke before the answer`;
}

function hintFor({ proxy, isAtProxy }: FailedConnection, code: string | undefined): string {
  if (isCertificateError(code)) return certificateHint;
  if (proxy !== undefined && isAtProxy === true) return proxyHint(proxy);
  const known = code === undefined ? undefined : knownReasons[code];
  return known?.hint ?? reachableHint;
}

const reachableHint = 'Check that the server is running and that the URL is right.';
const certificateHint =
  'If the certificate is your own, name its authority in NODE_EXTRA_CA_CERTS; else check the host name in the URL.';

const knownReasons: Readonly<Record<string, { readonly reason: string; readonly hint: string }>> = {
  ECONNREFUSED: { reason: 'nothing listens there', hint: reachableHint },
  ENOTFOUND: { reason: 'its name is not known', hint: 'Check the host name in the URL.' },
  EAI_AGAIN: { reason: 'its name could not be resolved', hint: 'Check the network and the host name in the URL.' },
  EHOSTUNREACH: { reason: 'the host cannot be reached', hint: reachableHint },
  ENETUNREACH: { reason: 'the network cannot be reached', hint: 'Check the network.' },
  ECONNRESET: { reason: 'the other side reset it', hint: reachableHint },
  EPIPE: { reason: 'the other side closed it', hint: reachableHint },
  UND_ERR_SOCKET: { reason: 'the other side closed it', hint: reachableHint },
  UND_ERR_CONNECT_TIMEOUT: { reason: `no answer in ${limits.connectMs / 1000} s`, hint: reachableHint },
  ETIMEDOUT: { reason: 'no answer in time', hint: reachableHint },
  EPROTO: { reason: 'it does not speak TLS', hint: 'Check whether the URL should start with http: instead of https:.' },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    reason: 'it does not speak TLS',
    hint: 'Check whether the URL should start with http: instead of https:.',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    reason: 'it does not speak TLS',
    hint: 'Check whether the URL should start with http: instead of https:.',
  },
};

/** OpenSSL's verification results, as Node.js names them. */
function isCertificateError(code: string | undefined): boolean {
  return code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|CRL/.test(code);
}

/** The innermost error: fetch wraps it once, and a host with several addresses gives one error for each. Ours has its own cause. */
function rootCause(thrown: unknown): unknown {
  if (thrown instanceof TrestleError) return thrown;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return rootCause(thrown.errors[0]);
  if (thrown instanceof Error && thrown.cause !== undefined) return rootCause(thrown.cause);
  return thrown;
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
