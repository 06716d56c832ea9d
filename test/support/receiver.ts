import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that an endpoint received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

export type Respond = (response: ServerResponse, message: Received, index: number) => void;

export const answer =
  (status: number, body = ''): Respond =>
  (response) =>
    void response.writeHead(status).end(body);

/** Accepts the request and never responds. */
export const hang: Respond = () => undefined;

/** Starts a real HTTP server that stores the requests it receives. */
export async function startReceiver(respond: Respond = answer(204)): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const message = {
        path,
        headers,
        body: Buffer.concat(parts).toString(),
        id: String(headers['webhook-id']),
      };
      received.push(message);
      respond(response, message, received.length - 1);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
