import { isPublicAddress, networkOf } from '../../core/network.ts';
import type { Secrets } from '../../core/secrets.ts';

const MARK_KINDS = ['address', 'device'] as const;
type MarkKind = (typeof MARK_KINDS)[number];

/** A keyed hash of an address or a device. The address itself is never stored. */
export interface Mark {
  readonly kind: MarkKind;
  readonly mark: Buffer;
}

const MARK_BYTES = 16;

/**
 * Returns the mark of a text. The key is derived from the service's secret key and the month, so without the secret key
 * a mark cannot be traced back by trying all addresses, and marks of two months cannot be compared.
 */
function markOf(secrets: Secrets, kind: MarkKind, text: string, at: Date): Mark {
  const month = at.toISOString().slice(0, 7);
  return { kind, mark: secrets.sign(`device-mark:${kind}:${month}`, text).subarray(0, MARK_BYTES) };
}

/**
 * Returns the mark of a visitor's network: an IPv4 address, or the first 64 bits of an IPv6 address. Loopback and private
 * addresses have none, because many users share one: all users behind an unlisted proxy, and a whole sandbox.
 */
export function markAddress(secrets: Secrets, address: string, at: Date): Mark | undefined {
  const network = networkOf(address);
  const isIpv6 = network.endsWith('/64');
  return isPublicAddress(isIpv6 ? address : network) ? markOf(secrets, 'address', network, at) : undefined;
}

/** Returns the mark of a device by the random number that our page stored in it. */
export function markDevice(secrets: Secrets, deviceId: string, at: Date): Mark {
  return markOf(secrets, 'device', deviceId, at);
}
