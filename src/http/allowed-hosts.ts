import { isIP } from 'node:net';
import { ApiError } from '../core/errors.ts';

/** A name or a bracketed IPv6 address, with an optional port. Browsers send international names as ASCII. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i;

/** Real clients send few spellings. The limit keeps a caller that invents many from filling the memory. */
const MAX_CACHED = 1_000;

/** Returns whether ALLOWED_HOSTS accepts `text`: a host name without scheme, port or path. */
export function isHostName(text: string): boolean {
  return /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i.test(text);
}

/**
 * Returns a check of `Host` headers against our own names (decision 0075).
 *
 * A page on another site can point its own name at our address (DNS rebinding). The browser then lets the page read our
 * responses, but it still sends the page's name as `Host`. An IP address as `Host` needs no check: the browser sends it
 * only for a page that came from that address. The check ignores the port, because the published port of a container
 * may differ from our own port. Browsers always send `Host`; some balancers send health checks without it.
 */
export function createHostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const allowed = new Set(['localhost', ...names].map(normalise));
  const cached = new Set<string>();
  return (host) => {
    if (host === undefined || host === '' || cached.has(host)) return true;
    const [, address, name = ''] = HOST.exec(host) ?? [];
    const isAllowed = address === undefined ? isIP(name) === 4 || allowed.has(normalise(name)) : isIP(address) === 6;
    if (isAllowed && cached.size < MAX_CACHED) cached.add(host);
    return isAllowed;
  };
}

/** Host names ignore case and a dot at the end. */
const normalise = (name: string): string => name.toLowerCase().replace(/\.$/, '');

export const wrongHost = (): ApiError =>
  new ApiError(
    'wrong_host',
    'This service is not called by the name in the Host header. If the name is yours, set PUBLIC_URL or ALLOWED_HOSTS.',
  );
