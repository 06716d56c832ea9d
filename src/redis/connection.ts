import { createHash } from 'node:crypto';

/** One connection to Redis. It does not reconnect after a failure. */
export interface Connection {
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Returns the version and mode of the server. An old server, or one that denies the commands, reports no version. */
  describe(): Promise<{ readonly version: string | undefined; readonly isCluster: boolean }>;
  onBroken(tell: (error: unknown) => void): void;
  destroy(): void;
}

const CONNECT_MS = 2_000;
const PROBE_KEY = 'sponsorgate:up';

/** Redis's errors for a wrong password, missing rights or an unknown database number. The operator has to fix these. */
const REFUSAL = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password|ERR DB index)/i;

export const isRefusal = (reason: string): boolean => REFUSAL.test(reason);

/** Connects and tests one write, because a replica and a full server accept connections but refuse writes. */
export async function connect(url: string, timeoutMs: number): Promise<Connection> {
  // Loaded on demand: the package would add a quarter of a second to every start.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    RESP: 2,
    disableClientInfo: true, // saves the Redis user one right
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });
  let tell: (error: unknown) => void = () => undefined;
  client.on('error', (error: unknown) => tell(error));
  const destroy = (): void => {
    if (client.isOpen) client.destroy();
  };

  try {
    await within(CONNECT_MS, client.connect());
    await within(timeoutMs, client.sendCommand(['SET', PROBE_KEY, '1', 'PX', '1000']));
  } catch (error) {
    destroy();
    throw error;
  }

  return {
    async run({ source, sha1 }, keys, args) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await client.sendCommand(['EVALSHA', sha1, ...rest]);
      } catch (error) {
        // Redis loses its cached scripts when it restarts. EVAL sends the source and caches the script again.
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.sendCommand(['EVAL', source, ...rest]);
      }
    },
    async describe() {
      const ask = (command: string[]): Promise<unknown> => client.sendCommand(command).catch(() => undefined);
      // The right to connect includes HELLO but not INFO. HELLO exists since Redis 6.
      const hello = await ask(['HELLO']);
      const told = Array.isArray(hello) ? hello.map(String) : [];
      const said = (name: string): string | undefined =>
        told.includes(name) ? told[told.indexOf(name) + 1] : undefined;
      const info = told.length > 0 ? '' : String(await ask(['INFO', 'server']));
      return {
        version: said('version') ?? /^redis_version:(\S+)/m.exec(info)?.[1],
        isCluster: said('mode') === 'cluster' || /^redis_mode:cluster/m.test(info),
      };
    },
    onBroken(listener) {
      tell = listener;
    },
    destroy,
  };
}

/** A Lua script and the SHA-1 under which Redis caches it. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
}

export function script(source: string): Script {
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

/** Resolves like `answer`, or rejects when it takes longer than the time limit. Ignores a later result. */
export async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // Node runs timers before it reads from the network. After a pause of this process, such as a garbage collection, the
  // reply may have arrived in time but unread. `setImmediate` lets Node read it first.
  const timer = setTimeout(() => {
    setImmediate(() => reject(new Error(`no answer within ${milliseconds} ms`)));
  }, milliseconds);
  answer.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
