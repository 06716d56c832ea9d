import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** A request as it goes over the wire; nothing is tidied up on the way. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

export interface Hit {
  readonly shot: Shot;
  /** Nothing when there was no answer, and then `text` says why. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one request and waits for the whole answer, at most that long. */
function shoot(url: string, shot: Shot, agent: Agent, limitMs: number): Promise<Hit> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const missed = (why: string): void => resolve({ shot, status: undefined, headers: {}, text: why });
    const { method, path, headers, body } = shot;
    const sending = request({ hostname, port, method, path, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', (error) => missed(`cut off: ${error.message}`));
      response.on('end', () => {
        clearTimeout(overdue);
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ shot, status: response.statusCode, headers: response.headers, text });
      });
    });
    const overdue = setTimeout(() => {
      missed(`no answer within ${limitMs} ms`);
      sending.destroy();
    }, limitMs);
    sending.on('error', (error) => {
      clearTimeout(overdue);
      missed(error.message);
    });
    // Whoever asks for another protocol gets an answer in this one, or none of ours took it up.
    sending.on('upgrade', (response, socket) => {
      clearTimeout(overdue);
      socket.destroy();
      resolve({ shot, status: response.statusCode, headers: response.headers, text: 'upgraded' });
    });
    sending.end(body);
  });
}

/** A few at a time: enough to meet each other, few enough for a small machine. */
export async function shootAll(
  url: string,
  shots: Iterable<Shot>,
  { limitMs = 5_000, atOnce = 6 } = {},
): Promise<Hit[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const hits: Hit[] = [];
  const waiting = [...shots].reverse();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let shot = waiting.pop(); shot !== undefined; shot = waiting.pop()) {
        hits.push(await shoot(url, shot, agent, limitMs));
      }
    }),
  );
  agent.destroy();
  return hits;
}
