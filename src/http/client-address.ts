import { BlockList, isIP } from 'node:net';

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
