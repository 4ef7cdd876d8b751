/** Names for servers that are given by a package or an address. */
import { limits, serverNameProblem } from '../../base/index.ts';

/** What a package of npm or PyPI is called here: `@scope/server-github` is `github`, `mcp-server-time` is `time`. Undefined: nothing of use is left. */
export function nameOfPackage(spec: string): string | undefined {
  const [, scope = '', name = ''] = /^(?:@([^/]+)\/)?([^@[=<>~!]+)/.exec(spec) ?? [];
  const short = name.replaceAll(/(^|[-_.])(?:mcp|server)(?=[-_.]|$)/g, '').replaceAll(/^[-_.]+|[-_.]+$/g, '');
  return usable(short === '' ? scope : short);
}

/** What an address is called here: `https://mcp.sentry.dev/mcp` is `sentry`. */
export function nameOfAddress(address: string): string | undefined {
  const host = URL.parse(address)?.host;
  if (host === undefined) return undefined;
  if (/^[\d.:[\]]+$|^localhost/.test(host)) return usable(host.replaceAll(/[^\w.]+/g, '-').replaceAll(/^-+|-+$/g, ''));
  const labels = host.replace(/:\d+$/, '').split('.');
  const telling = labels.slice(0, -1).filter((label) => !/^(?:mcp|api|www|server|remote)$/.test(label));
  return usable(telling.at(-1) ?? labels[0] ?? '');
}

function usable(name: string): string | undefined {
  const cut = name.slice(0, limits.serverNameCharacters);
  return serverNameProblem(cut) === undefined ? cut : undefined;
}
