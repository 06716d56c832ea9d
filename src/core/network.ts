import { BlockList, isIP } from 'node:net';

/**
 * Returns the key by which limits count an address: an IPv4 address itself, or the first 64 bits of an IPv6 address.
 * Providers give every subscriber at least a /64, so counting single addresses would give each one 2^64 limits. An IPv4
 * address written as IPv6 (`::ffff:1.2.3.4`, or `64:ff9b::1.2.3.4` behind a translator) counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%', 1);
  if (isIP(plain) !== 6) return address;
  const groups = groupsOf(plain);
  if (!IPV4_PREFIXES.some((prefix) => prefix.every((group, i) => group === groups[i]))) {
    return `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(':')}::/64`;
  }
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** `::ffff:0:0/96` (RFC 4291) and `64:ff9b::/96` (RFC 6052): the last 32 bits are an IPv4 address. */
const IPV4_PREFIXES: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** Returns the eight 16-bit groups of a valid IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [before = [], after] = address.split('::').map(groupsIn);
  if (after === undefined) return before;
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function groupsIn(part: string): readonly number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** Ranges without public hosts, from IANA's special-purpose registry. */
const FORBIDDEN_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/**
 * Only global unicast IPv6 is allowed. This excludes unspecified, loopback, IPv4-mapped, IPv4-compatible, NAT64,
 * discard, unique local, link-local, site-local and multicast addresses.
 */
const GLOBAL_IPV6 = ['2000::', 3] as const;
/** Ranges of global unicast that are not public or that contain an IPv4 address, which would need its own check. */
const FORBIDDEN_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
];

const forbidden = new BlockList();
for (const [network, bits] of FORBIDDEN_IPV4) forbidden.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of FORBIDDEN_IPV6) forbidden.addSubnet(network, bits, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** Returns whether an address belongs to a public host; `false` for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !forbidden.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !forbidden.check(address, 'ipv6');
    default:
      return false;
  }
}
