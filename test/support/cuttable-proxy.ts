import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A proxy to a database that can stop forwarding without closing a connection, as after a pulled network cable. */
export interface CuttableProxy {
  /** The database URL with the address of this proxy. */
  readonly url: string;
  /**
   * Stops all traffic on the existing connections. New connections work. Returns a function that closes the cut
   * connections.
   */
  cut(): () => void;
  /** Closes every existing connection on both sides, as a restarted proxy does. */
  hangUp(): void;
  /** Delays all later traffic by this time in each direction. */
  slowDown(milliseconds: number): void;
  /** Connects new connections to another database address. */
  retarget(databaseUrl: string): void;
  close(): Promise<void>;
}

export async function openCuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  let target = new URL(databaseUrl);
  let delayMs = 0;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432) });
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(lag(() => delayMs)).pipe(far);
    far.pipe(lag(() => delayMs)).pipe(near);
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
  const end = (ended: Iterable<readonly [Socket, Socket]>): void => {
    for (const pair of ended) for (const socket of pair) socket.destroy();
  };

  return {
    url: url.href,
    cut() {
      const dead = [...pairs];
      for (const pair of dead) for (const socket of pair) socket.unpipe().pause();
      return () => end(dead);
    },
    hangUp: () => end(pairs),
    slowDown(milliseconds) {
      delayMs = milliseconds;
    },
    retarget(moved) {
      target = new URL(moved);
    },
    async close() {
      end(pairs);
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** Forwards each chunk after the delay that is set when the chunk arrives. */
function lag(delayMs: () => number): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      const milliseconds = delayMs();
      if (milliseconds === 0) done(null, piece);
      else setTimeout(() => done(null, piece), milliseconds);
    },
  });
}
