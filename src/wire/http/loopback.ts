/** Which hosts are this machine, told from their names alone. */
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
// The unspecified address, which a system takes for itself when it is connected to.
loopback.addAddress('0.0.0.0', 'ipv4');
loopback.addAddress('::', 'ipv6');

/** `hostname` as in a URL, IPv6 with its brackets or without. `localhost` and names under it never leave the machine (RFC 6761). */
export function isLoopback(hostname: string): boolean {
  const host = plainHost(hostname);
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Lower case, without the brackets of IPv6 and without the dot that ends a full name. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=.)\.$/, '');
}
