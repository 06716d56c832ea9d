import { BlockList, isIP } from 'node:net';

/** Which addresses an endpoint may have. Loopback is allowed in a sandbox, whose endpoints are on the same machine. */
export interface AddressPolicy {
  readonly allowLoopback: boolean;
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
// Two lists, because a BlockList with 127.0.0.0/8 also matches its IPv4-mapped IPv6 form.
const loopbackIpv4 = new BlockList();
loopbackIpv4.addSubnet('127.0.0.0', 8, 'ipv4');
const loopbackIpv6 = new BlockList();
loopbackIpv6.addAddress('::1', 'ipv6');

/** Returns whether a delivery may go to this address; `false` for text that is not an address. */
export function isAllowedAddress(address: string, { allowLoopback }: AddressPolicy): boolean {
  switch (isIP(address)) {
    case 4:
      return (allowLoopback && loopbackIpv4.check(address, 'ipv4')) || !forbidden.check(address, 'ipv4');
    case 6:
      if (allowLoopback && loopbackIpv6.check(address, 'ipv6')) return true;
      return globalIpv6.check(address, 'ipv6') && !forbidden.check(address, 'ipv6');
    default:
      return false;
  }
}
