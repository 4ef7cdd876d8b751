/** Why a connection could not be made or broke before the server's answer, told from error codes and never from texts. */
import { limits, TrestleError, type Execution } from '../base/index.ts';

export interface FailedConnection {
  readonly url: string;
  readonly execution: Execution;
}

/** The `connection_failed` error for what undici threw. */
export function connectionFailure(thrown: unknown, { url, execution }: FailedConnection): TrestleError {
  const cause = rootCause(thrown);
  const code = codeOf(cause);
  const { host, origin } = new URL(url);
  const known = code === undefined ? undefined : knownReasons[code];
  const reason = known?.reason ?? (isCertificateError(code) ? 'its certificate is not trusted' : textOf(cause));
  const hint = known?.hint ?? (isCertificateError(code) ? certificateHint : reachableHint);
  const written =
    execution === 'not-sent' ? `Cannot connect to ${origin}` : `The connection to ${host} broke before the answer`;
  return new TrestleError({
    code: 'connection_failed',
    message: `${written}: ${reason}${code === undefined ? '' : ` (${code})`}.`,
    hint,
    execution,
    details: code === undefined ? undefined : { reason: code },
    cause: thrown,
  });
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

/** The innermost error: fetch wraps it once, and a host with several addresses gives one error for each. */
function rootCause(thrown: unknown): unknown {
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
