import { BlockList, isIP } from 'node:net';

export { networkOf } from '../core/network.ts';

/**
 * Returns a function that tells whether an address belongs to one of our proxies. The server accepts a forwarded client
 * address only from these, so a client cannot fake its address. Results are cached, because every request needs one.
 */
export function createProxyTrust(ranges: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const range of ranges) addRange(proxies, range);
  const trusted = new Set<string>();
  return (address) => {
    if (trusted.has(address)) return true;
    const version = isIP(address);
    if (version === 0 || !proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')) return false;
    if (trusted.size < MAX_REMEMBERED) trusted.add(address);
    return true;
  };
}

/** Limits the cache, because a trusted range may be large, such as that of a content delivery network. */
const MAX_REMEMBERED = 1_000;

/** Returns whether TRUSTED_PROXIES accepts `text`: an address or a range such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

function addRange(list: BlockList, range: string): void {
  if (!isAddressRange(range)) throw new Error(`not an address or a range of addresses: ${range}`);
  const [address = '', prefix] = range.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(prefix), family);
}
