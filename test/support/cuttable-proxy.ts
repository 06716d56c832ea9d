import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A wire to a database that can be cut without a word, as a pulled cable or a dead proxy does: nothing closes. */
export interface CuttableProxy {
  /** The database's address with the way over this wire. */
  readonly url: string;
  /** From now on nothing travels over the connections that exist; new ones work. Answers how to end those that were cut. */
  cut(): () => void;
  /** Ends every connection that exists, as a proxy does that is restarted; both sides hear of it. */
  hangUp(): void;
  /** From now on everything takes that much longer, each way. */
  slowDown(milliseconds: number): void;
  /** New connections go to where the database has moved. */
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

/** Passes on what it gets, each piece after the delay of that moment. */
function lag(delayMs: () => number): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      const milliseconds = delayMs();
      if (milliseconds === 0) done(null, piece);
      else setTimeout(() => done(null, piece), milliseconds);
    },
  });
}
