/** The network of one machine: proxies that can be cut together, as when its cable is pulled. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface NodeNetwork {
  /** Opens a port that leads to the target. Returns its number. */
  route(targetPort: number): Promise<number>;
  /** Stops all traffic without closing a connection. New connections are accepted and stay silent. */
  cut(): void;
  /** Closes the silent connections and forwards new ones again. */
  heal(): void;
  close(): Promise<void>;
}

export function createNodeNetwork(): NodeNetwork {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let isCut = false;

  const keep = (socket: Socket, other?: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      // The other machine would not learn of it while the network is cut.
      if (!isCut) other?.destroy();
    });
  };

  return {
    async route(targetPort) {
      const server = createServer((near) => {
        if (isCut) {
          keep(near.pause());
          return;
        }
        const far = connect({ host: '127.0.0.1', port: targetPort, noDelay: true });
        near.setNoDelay(true);
        keep(near, far);
        keep(far, near);
        near.pipe(far);
        far.pipe(near);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      return (server.address() as AddressInfo).port;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      isCut = false;
      for (const socket of sockets) socket.destroy();
      for (const server of servers) {
        server.close();
        await once(server, 'close');
      }
    },
  };
}
