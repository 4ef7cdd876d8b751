/** NO_PROXY: which hosts are reached without a proxy. There is no standard; this is what curl, Go and Node.js have in common. */
import { BlockList, isIP } from 'node:net';
import { plainHost } from './loopback.ts';

/**
 * Whether an entry of `list` (separated by commas or blanks) covers the URL. An entry is `*`, a host, a suffix (`example.org` and
 * `.example.org` cover the host and what is under it, `*.example.org` only what is under it), an address or a block of
 * addresses (`10.0.0.0/8`). All but blocks may end in a port.
 */
export function isExempt({ protocol, hostname, port }: URL, list: string): boolean {
  const target = { host: plainHost(hostname), port: port === '' ? defaultPorts[protocol] : port };
  return list.split(/[\s,]+/).some((entry) => entry !== '' && covers(entry.toLowerCase(), target));
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

interface Target {
  readonly host: string;
  readonly port: string | undefined;
}

function covers(entry: string, target: Target): boolean {
  const [, address, prefix] = /^\[?([\d.:a-f]+)\]?\/(\d{1,3})$/.exec(entry) ?? [];
  if (address !== undefined) return isWithin(target.host, address, Number(prefix));
  const { host, port } = withoutPort(entry);
  if (port !== undefined && port !== target.port) return false;
  if (host === '*') return true;
  if (isIP(host) !== 0) return isWithin(target.host, host, isIP(host) === 4 ? 32 : 128);
  const suffix = plainHost(host.replace(/^\*?\./, ''));
  if (suffix === '') return false;
  return target.host.endsWith(`.${suffix}`) || (target.host === suffix && !host.startsWith('*'));
}

/** A port stands behind the only colon, or behind brackets. */
function withoutPort(entry: string): { readonly host: string; readonly port: string | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(entry) ?? [];
  return { host: plainHost(bracketed ?? plain ?? entry), port };
}

function isWithin(host: string, address: string, prefix: number): boolean {
  const [hostFamily, family] = [isIP(host), isIP(address)];
  if (hostFamily === 0 || family === 0 || prefix > (family === 4 ? 32 : 128)) return false;
  const block = new BlockList();
  block.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return block.check(host, hostFamily === 4 ? 'ipv4' : 'ipv6');
}
