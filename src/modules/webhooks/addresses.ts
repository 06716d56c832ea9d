import { BlockList, isIP } from 'node:net';
import { isPublicAddress } from '../../core/network.ts';

/** Which addresses an endpoint may have. Loopback is allowed in a sandbox, whose endpoints are on the same machine. */
export interface AddressPolicy {
  readonly allowLoopback: boolean;
}

// Two lists, because a BlockList with 127.0.0.0/8 also matches its IPv4-mapped IPv6 form.
const loopbackIpv4 = new BlockList();
loopbackIpv4.addSubnet('127.0.0.0', 8, 'ipv4');
const loopbackIpv6 = new BlockList();
loopbackIpv6.addAddress('::1', 'ipv6');

/** Returns whether a delivery may go to this address; `false` for text that is not an address. */
export function isAllowedAddress(address: string, { allowLoopback }: AddressPolicy): boolean {
  return (allowLoopback && isLoopback(address)) || isPublicAddress(address);
}

function isLoopback(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return loopbackIpv4.check(address, 'ipv4');
    case 6:
      return loopbackIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}
