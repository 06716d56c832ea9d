/**
 * A load client that costs little processor time beside the server. Requests are prepared as bytes. Each connection
 * sends the next request as soon as it has the response (or at its time, for a given rate). The client reads only the
 * status and the length of a response.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Milliseconds from sending (or, at a given rate, from the due time) to the last byte. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export interface LoadResult extends Percentiles {
  readonly answers: number;
  readonly perSecond: number;
}

export interface LoadOptions {
  readonly url: string;
  /** Returns the next request as bytes, or undefined at the end. */
  readonly next: () => Buffer | undefined;
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second. Without it, each connection sends as fast as it gets responses. */
  readonly rate?: number;
  /** Called for every response with the due time of its request, by `performance.now()`, and its latency. */
  readonly onAnswer?: (dueAt: number, milliseconds: number) => void;
}

/** Returns a POST request with a JSON body as bytes. */
export function request(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const text = JSON.stringify(body);
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

export async function sendLoad({ url, next, connections, seconds, rate, onAnswer }: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let due = 0;
  /** Returns when the next request may be sent: at once, or at its time in the given rate. */
  const turn = (): number => (rate === undefined ? performance.now() : begin + (due++ * 1000) / rate);
  try {
    const answered = (dueAt: number, milliseconds: number): void => {
      latencies.push(milliseconds);
      onAnswer?.(dueAt, milliseconds);
    };
    await Promise.all(sockets.map((socket) => drive(socket, { next, turn, end, answered })));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const took = (performance.now() - begin) / 1000;
  return { answers: latencies.length, perSecond: latencies.length / took, ...percentiles(latencies) };
}

export function percentiles(milliseconds: readonly number[]): Percentiles {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

interface Drive {
  readonly next: () => Buffer | undefined;
  readonly turn: () => number;
  readonly end: number;
  readonly answered: (dueAt: number, milliseconds: number) => void;
}

function drive(socket: Socket, { next, turn, end, answered }: Drive): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);

    const send = (): void => {
      const at = turn();
      const now = performance.now();
      const wait = at - now;
      if (Math.max(at, now) >= end) {
        resolve();
        return;
      }
      if (wait > 1) {
        setTimeout(() => fire(at), wait);
        return;
      }
      fire(at);
    };
    const fire = (at: number): void => {
      const bytes = next();
      if (bytes === undefined) {
        resolve();
        return;
      }
      sentAt = Math.min(at, performance.now()); // timers are coarse, so a request may be sent slightly before it is due
      socket.write(bytes);
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server hung up')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < headEnd + 4 + length) return;
      if (!head.startsWith('HTTP/1.1 200')) {
        reject(new Error(received.toString('utf8', 0, 600)));
        return;
      }
      received = Buffer.alloc(0);
      answered(sentAt, performance.now() - sentAt);
      send();
    });
    send();
  });
}
