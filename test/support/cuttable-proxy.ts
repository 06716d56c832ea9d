import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a database that can be cut without a word, as a pulled cable or a dead proxy does: nothing closes. */
export interface CuttableProxy {
  /** The database's address with the way over this wire. */
  readonly url: string;
  /** From now on nothing travels over the connections that exist; new ones work. */
  cut(): void;
  close(): Promise<void>;
}

export async function openCuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432) });
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        for (const other of pair) other.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    cut() {
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause();
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
