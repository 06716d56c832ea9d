import { Agent, type IncomingHttpHeaders, request as startRequest } from 'node:http';

/** A request that is sent without changes. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

export interface FuzzResponse {
  readonly request: FuzzRequest;
  /** `undefined` when there was no response. `text` then contains the reason. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one request and waits for the whole response, at most `limitMs`. */
function send(url: string, request: FuzzRequest, agent: Agent, limitMs: number): Promise<FuzzResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve({ request, status: undefined, headers: {}, text: reason });
    const { method, path, headers, body } = request;
    const sending = startRequest({ hostname, port, method, path, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', (error) => fail(`cut off: ${error.message}`));
      response.on('end', () => {
        clearTimeout(overdue);
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ request, status: response.statusCode, headers: response.headers, text });
      });
    });
    const overdue = setTimeout(() => {
      fail(`no response within ${limitMs} ms`);
      sending.destroy();
    }, limitMs);
    sending.on('error', (error) => {
      clearTimeout(overdue);
      fail(error.message);
    });
    // A request to upgrade the protocol must get a response of the service.
    sending.on('upgrade', (response, socket) => {
      clearTimeout(overdue);
      socket.destroy();
      resolve({ request, status: response.statusCode, headers: response.headers, text: 'upgraded' });
    });
    sending.end(body);
  });
}

/** Sends the requests a few at a time, so that they overlap without overloading a small machine. */
export async function sendAll(
  url: string,
  requests: Iterable<FuzzRequest>,
  { limitMs = 5_000, atOnce = 6 } = {},
): Promise<FuzzResponse[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const responses: FuzzResponse[] = [];
  const waiting = [...requests].reverse();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let request = waiting.pop(); request !== undefined; request = waiting.pop()) {
        responses.push(await send(url, request, agent, limitMs));
      }
    }),
  );
  agent.destroy();
  return responses;
}
