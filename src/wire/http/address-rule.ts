/** Which addresses a request may reach (H11). Pure. */
import { BlockList, isIP } from 'node:net';
import { TrestleError } from '../../base/index.ts';
import { isLoopback, plainHost } from './loopback.ts';

/**
 * `any`: somebody's definition names the host itself. `public`: somebody else does, such as a document of a server, so what lies on this
 * machine and in its networks is out of reach. `public-or-loopback`: the same where the definition itself lies on this machine.
 */
export type Reach = 'any' | 'public' | 'public-or-loopback';

type AddressKind = 'public' | 'private' | 'loopback';

const ipv4Blocks = `10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15
  224.0.0.0/4 240.0.0.0/4 0.0.0.0/8`;
/** Local, link-local, site-local, multicast; and the ways to write an IPv4 address, whose inner one decides. */
const ipv6Blocks = 'fc00::/7 fe80::/10 fec0::/10 ff00::/8 100::/64 2001:db8::/32';

const privateBlocks = new BlockList();
for (const block of `${ipv4Blocks} ${ipv6Blocks}`.split(/\s+/)) {
  const [address = '', prefix] = block.split('/');
  privateBlocks.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
}

function kindOf(address: string): AddressKind {
  if (isLoopback(address)) return 'loopback';
  const inner = innerIpv4(address);
  if (inner !== undefined) return kindOf(inner);
  return privateBlocks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') ? 'private' : 'public';
}

/** The IPv4 address within an IPv6 one: mapped, compatible, of a translator (RFC 6052) or of 6to4 (RFC 3056). */
function innerIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = groupsOf(address);
  const leading = groups.slice(0, 6).join(':');
  const isWrapped = ['0:0:0:0:0:65535', '0:0:0:0:0:0'].includes(leading);
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b;
  if (isWrapped || isTranslated) return dotted(groups[6], groups[7]);
  return groups[0] === 0x2002 ? dotted(groups[1], groups[2]) : undefined;
}

/** The eight numbers of an IPv6 address, as the URL standard writes it. */
function groupsOf(address: string): readonly number[] {
  const written = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Whether an address (no name) is within reach. */
export function isReachable(address: string, reach: Reach): boolean {
  if (reach === 'any') return true;
  const kind = kindOf(address);
  return kind === 'public' || (kind === 'loopback' && reach === 'public-or-loopback');
}

/** Throws `address_refused` for a URL whose host is out of reach as it is written; a name is judged by what it resolves to. */
export function checkHost(url: string, reach: Reach): void {
  const host = plainHost(new URL(url).hostname);
  const address = isIP(host) === 0 && isLoopback(host) ? '127.0.0.1' : host;
  if (isIP(address) !== 0 && !isReachable(address, reach)) throw addressRefused(host, host);
}

/** The refusal of `address`, which `host` is or resolves to. */
export function addressRefused(host: string, address: string): TrestleError {
  const where = host === address ? address : `${host} (${address})`;
  return new TrestleError({
    code: 'address_refused',
    message: `${where} is on this machine or in a private network, and no definition names that host.`,
    hint: 'If it is to be reached, name that host in the definition of the server itself.',
    execution: 'not-sent',
    details: { host, address },
  });
}
