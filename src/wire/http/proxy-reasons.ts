/** Why a proxy did not bring a request to its server: the sentences. They name the proxy without its credentials, and its variable. */
import { limits, TrestleError, type Execution } from '../../base/index.ts';
import { type Proxy, proxyDetails, proxyHint } from './proxy-route.ts';

/** A tunnel that was asked for: through which proxy, to which host and port. */
export interface TunnelJourney {
  readonly proxy: Proxy;
  readonly target: string;
}

interface ProxyFailure {
  readonly message: string;
  readonly hint?: string;
  readonly execution?: Execution;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

function failure(proxy: Proxy, facts: ProxyFailure): TrestleError {
  return new TrestleError({
    code: 'connection_failed',
    hint: proxyHint(proxy),
    execution: 'not-sent',
    ...facts,
    details: { ...proxyDetails(proxy), ...facts.details },
  });
}

/** The proxy wants to know who asks. What it then did not pass on, no server has executed. */
export const credentialsWanted = (proxy: Proxy, execution: Execution): TrestleError => {
  const { shown, authorization, variable } = proxy;
  return failure(proxy, {
    message: `The proxy ${shown} ${authorization === undefined ? 'wants a user and a password' : 'refuses our user and password'} (HTTP 407).`,
    hint: `Write them in ${variable}: http://user:password@host:port, special characters percent-encoded.`,
    execution,
    details: { status: 407 },
  });
};

/** The answer to CONNECT was no success. */
export const tunnelRefused = ({ proxy, target }: TunnelJourney, status: number): TrestleError =>
  status === 407
    ? credentialsWanted(proxy, 'not-sent')
    : failure(proxy, {
        message: `The proxy ${proxy.shown} does not connect to ${target} (HTTP ${status}).`,
        details: { status },
      });

export const tunnelSilent = ({ proxy, target }: TunnelJourney): TrestleError =>
  failure(proxy, {
    message: `The proxy ${proxy.shown} did not connect to ${target} within ${limits.connectMs / 1000} s.`,
  });

/** The proxy took our connection and ended it, or answered what is no HTTP. */
export const tunnelBroken = ({ proxy, target }: TunnelJourney, cause: unknown): TrestleError =>
  failure(proxy, {
    message: `The proxy ${proxy.shown} broke off before it was connected to ${target}.`,
    cause,
  });

export const clientClosed = (): TrestleError =>
  new TrestleError({
    code: 'connection_failed',
    message: 'The HTTP client is closed.',
    execution: 'not-sent',
  });
