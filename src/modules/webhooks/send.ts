import { Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressPolicy, isAllowedAddress } from './addresses.ts';
import { hostOf } from './endpoint.ts';

interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The result of one attempt. A null status code means that no response arrived; `error` tells why. */
export interface SendResult {
  readonly statusCode: number | null;
  readonly error: string | null;
  /** The first headers of the response, one per line, and the beginning of its body, for the log. */
  readonly responseHeaders: string | null;
  readonly response: string | null;
}

/** Throws only when `signal` aborts. */
export type Send = (request: SendRequest, signal: AbortSignal) => Promise<SendResult>;

export interface Sender {
  readonly send: Send;
  close(): void;
}

export interface SenderOptions extends AddressPolicy {
  /** Returns all addresses of a host name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** The status decides the result, so a body that never ends must not block the send slot. */
const BODY_TIMEOUT_MS = 1_000;
const MAX_BODY_BYTES = 4 * 1024;
const MAX_SHOWN_CHARACTERS = 1_000;
const MAX_HEADERS_CHARACTERS = 2_000;
const IDLE_MS = 15_000;
const USER_AGENT = 'Sponsorgate-Webhooks/1.0';

/**
 * Posts to untrusted endpoints: checks every address when it connects, follows no redirects and limits the size of
 * responses. Uses its own agents, so that a proxy from the environment does not apply.
 */
export function createSender({ allowLoopback, resolve, timeoutMs = TIMEOUT_MS }: SenderOptions): Sender {
  const policy = { allowLoopback };
  const lookup = checkedLookup(resolve ?? createResolver(), policy);
  const settings = { keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' } as const;
  const agents = { 'http:': new http.Agent(settings), 'https:': new https.Agent(settings) };

  async function send(request: SendRequest, signal: AbortSignal): Promise<SendResult> {
    signal.throwIfAborted();
    const url = new URL(request.url);
    const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
    const host = hostOf(url);
    // Node skips the lookup for a literal IP address, so check it here.
    if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) return unanswered(new ForbiddenAddress(host));
    const deadline = AbortSignal.timeout(timeoutMs);
    const options = { lookup, signal: AbortSignal.any([deadline, signal]) };
    try {
      const answer = await post(url, request, { ...options, agent: agents[protocol] }).catch((error: unknown) => {
        if (!isStaleConnection(error)) throw error;
        const fresh = protocol === 'https:' ? new https.Agent() : new http.Agent();
        return post(url, request, { ...options, agent: fresh });
      });
      return await read(answer);
    } catch (error) {
      signal.throwIfAborted();
      return deadline.aborted ? noResponse(`no answer within ${timeoutMs / 1000} s`) : unanswered(error);
    }
  }

  return {
    send,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The endpoint closed a keep-alive connection while we reused it; no response arrived. */
class StaleConnection extends Error {}
const isStaleConnection = (error: unknown): boolean => error instanceof StaleConnection;

class ForbiddenAddress extends Error {
  constructor(address: string) {
    super(`${address} is not a public address`);
  }
}

interface PostOptions {
  readonly agent: http.Agent;
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
}

function post(url: URL, { headers, body }: SendRequest, options: PostOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      ...options,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': USER_AGENT,
      },
    });
    request.on('response', resolve);
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      reject(isStale ? new StaleConnection(error.message) : error);
    });
    request.end(body);
  });
}

/**
 * Reads the beginning of the body and discards the rest. The connection is reused only when the body was read
 * completely.
 */
async function read(answer: IncomingMessage): Promise<SendResult> {
  const { statusCode = 0 } = answer;
  const parts: Buffer[] = [];
  let bytes = 0;
  const tooSlow = setTimeout(() => answer.destroy(), BODY_TIMEOUT_MS);
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_BODY_BYTES) break;
    }
  } catch {
    // We or the endpoint cut off the body. The status is still valid.
  } finally {
    clearTimeout(tooSlow);
  }
  const text = Buffer.concat(parts).toString('utf8').slice(0, MAX_SHOWN_CHARACTERS).replaceAll('\0', '\uFFFD');
  return {
    statusCode,
    error: describeStatus(statusCode),
    responseHeaders: headerLines(answer.rawHeaders),
    response: text === '' ? null : text,
  };
}

/** Leaves out cookies, which may be secrets of the endpoint. `rawHeaders` has names and values in turn. */
function headerLines(rawHeaders: readonly string[]): string | null {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const lines = names.map((name, index) => `${name.toLowerCase()}: ${rawHeaders[2 * index + 1]}`);
  const shown = lines.filter((line) => !line.startsWith('set-cookie')).join('\n');
  return shown === '' ? null : shown.slice(0, MAX_HEADERS_CHARACTERS);
}

function describeStatus(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `answered ${statusCode}: redirects are not followed`;
  return `answered ${statusCode}`;
}

export function noResponse(error: string): SendResult {
  return { statusCode: null, error, responseHeaders: null, response: null };
}

/** Ends a delivery that has nothing to send, without a failure. */
export function notSent(reason: string): SendResult {
  return { statusCode: 204, error: null, responseHeaders: null, response: `nothing was sent: ${reason}` };
}

function unanswered(error: unknown): SendResult {
  // A failure for several addresses has several errors; report the first.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = first instanceof Error ? first.message : String(first);
  return noResponse(text.slice(0, MAX_SHOWN_CHARACTERS).replaceAll('\0', ''));
}

/**
 * Resolves a host name and returns only allowed addresses. It runs as part of the connection, so a name that later
 * resolves to a private address is checked again.
 */
function checkedLookup(
  resolve: (hostname: string) => Promise<readonly string[]>,
  policy: AddressPolicy,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const allowed = addresses.filter((address) => isAllowedAddress(address, policy));
        const found = allowed.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (first === undefined) callback(new ForbiddenAddress(`${hostname} (${addresses.join(', ')})`), '', 4);
        else if (options.all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    );
  };
}

/**
 * Queries the name servers without the thread pool of `dns.lookup`: endpoints with slow name servers would block its
 * few threads for all others. Does not read the hosts file, whose addresses are rarely public.
 */
function createResolver(): (hostname: string) => Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    const six = resolver.resolve6(hostname).catch(() => []);
    try {
      return await resolver.resolve4(hostname);
    } catch (error) {
      const addresses = await six;
      if (addresses.length === 0) throw error;
      return addresses;
    }
  };
}
