import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { createWakeSignal, type WakeSignal } from '../telegram/events.ts';
import type { LiveSections, PhoneView } from './live-sections.ts';

/**
 * Server-Sent Events instead of polling: most changes come from a response of this server, so the server knows when to
 * read again (`wake`). Changes of other processes and of the jobs appear with the next read, a second later. The streams
 * end before the server closes (`close`), so they do not delay a shutdown.
 *
 * A slow reader causes no backlog: each read sends only the differences, and waits until the socket took the last ones.
 */
export interface LiveStreams {
  /** Resolves when the stream has ended. Returns `undefined` when too many streams are open. */
  open(response: ServerResponse, view: PhoneView): Promise<void> | undefined;
  /** Makes every stream read again. */
  wake(): void;
  close(): void;
}

const MAX_STREAMS = 32;
const READ_EVERY_MS = 1_000;
/** The shortest time between two reads. */
const PAUSE_MS = 150;
/** Proxies close idle connections, and browsers notice a lost server only by missing data. */
const HEARTBEAT_MS = 15_000;

export function createLiveStreams(sections: LiveSections): LiveStreams {
  const signals = new Set<WakeSignal>();
  const closing = new AbortController();

  async function run(response: ServerResponse, phone: PhoneView, signal: WakeSignal): Promise<void> {
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    response.on('error', () => disconnected.abort());
    const ended = AbortSignal.any([disconnected.signal, closing.signal]);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // A connection that outlives its stream would delay the stop of the server.
      Connection: 'close',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    const readChanges = createChangeReader(sections, phone);
    let lastWrite = performance.now();
    while (!ended.aborted) {
      let text = await readChanges();
      if (text === '' && performance.now() - lastWrite > HEARTBEAT_MS) text = ': still here\n\n';
      if (text !== '') {
        lastWrite = performance.now();
        if (!response.write(text)) await once(response, 'drain', { signal: ended }).catch(() => undefined);
      }
      await signal.wait(READ_EVERY_MS, ended);
      await createWakeSignal().wait(PAUSE_MS, ended);
    }
    response.end();
  }

  return {
    open(response, phone) {
      if (signals.size >= MAX_STREAMS || closing.signal.aborted) return undefined;
      const signal = createWakeSignal();
      signals.add(signal);
      return run(response, phone, signal).finally(() => signals.delete(signal));
    },
    wake() {
      for (const signal of signals) signal.wake();
    },
    close: () => closing.abort(),
  };
}

/** Returns a function that reads all sections and returns the changed ones as events. */
function createChangeReader(sections: LiveSections, phone: PhoneView): () => Promise<string> {
  const sent = new Map<string, string>();
  let lastRequest = 0;
  let isFirst = true;
  return async () => {
    const events: string[] = [];
    for (const [name, read] of sections.of(phone)) {
      // A short outage of the database must not end the stream: the next read sends this section.
      const json = await read().then(JSON.stringify, () => undefined);
      if (json === undefined || sent.get(name) === json) continue;
      sent.set(name, json);
      events.push(`event: ${name}\ndata: ${json}\n\n`);
    }
    const requests = sections.requestsSince(lastRequest);
    lastRequest = requests.at(-1)?.id ?? lastRequest;
    // The first read always sends them: the page then knows that it has everything.
    if (requests.length > 0 || isFirst) events.push(`event: calls\ndata: ${JSON.stringify(requests)}\n\n`);
    isFirst = false;
    return events.join('');
  };
}
