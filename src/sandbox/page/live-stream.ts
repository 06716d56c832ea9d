import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type Bell, createBell } from '../telegram/events.ts';
import type { PhoneView, WatchView } from './live-sections.ts';

/**
 * Server-Sent Events, and not polling: the page is to show things as they happen, and an answer of the server itself is
 * what makes them happen, so it also knows when to look (`ring`). What other processes and the workers do is found at
 * the next look, a second later. Draining is no obstacle: the streams end before the server closes (`close`).
 *
 * Nothing piles up for a slow reader. Each look sends what differs from the last, and there is no next look before the
 * socket took that.
 */
export interface WatchStreams {
  /** Answers when the stream has ended. `undefined` when too many are open. */
  open(response: ServerResponse, view: PhoneView): Promise<void> | undefined;
  /** Something may have changed. */
  ring(): void;
  close(): void;
}

const MAX_STREAMS = 32;
const LOOK_EVERY_MS = 1_000;
/** While much happens: several times a second is enough for the eye. */
const PAUSE_MS = 150;
/** Proxies, and browsers whose server went away without a word, need a sign of life. */
const HEARTBEAT_MS = 15_000;

export function createWatchStreams(view: WatchView): WatchStreams {
  const bells = new Set<Bell>();
  const closing = new AbortController();

  async function run(response: ServerResponse, phone: PhoneView, bell: Bell): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.on('error', () => gone.abort());
    const ended = AbortSignal.any([gone.signal, closing.signal]);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Else the connection would outlive its stream, and the server waits for connections when it stops.
      Connection: 'close',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    const teller = createTeller(view, phone);
    let lastWord = performance.now();
    while (!ended.aborted) {
      let text = await teller();
      if (text === '' && performance.now() - lastWord > HEARTBEAT_MS) text = ': still here\n\n';
      if (text !== '') {
        lastWord = performance.now();
        if (!response.write(text)) await once(response, 'drain', { signal: ended }).catch(() => undefined);
      }
      await bell.wait(LOOK_EVERY_MS, ended);
      await createBell().wait(PAUSE_MS, ended);
    }
    response.end();
  }

  return {
    open(response, phone) {
      if (bells.size >= MAX_STREAMS || closing.signal.aborted) return undefined;
      const bell = createBell();
      bells.add(bell);
      return run(response, phone, bell).finally(() => bells.delete(bell));
    },
    ring() {
      for (const bell of bells) bell.ring();
    },
    close: () => closing.abort(),
  };
}

/** Looks once more at each call; answers what is new, as events. */
function createTeller(view: WatchView, phone: PhoneView): () => Promise<string> {
  const sent = new Map<string, string>();
  let lastCall = 0;
  return async () => {
    const events: string[] = [];
    for (const [name, read] of view.sections(phone)) {
      // A database that is away for a moment is no reason to hang up: the next look shows what this one could not.
      const json = await read().then(JSON.stringify, () => undefined);
      if (json === undefined || sent.get(name) === json) continue;
      sent.set(name, json);
      events.push(`event: ${name}\ndata: ${json}\n\n`);
    }
    const calls = view.callsSince(lastCall);
    lastCall = calls.at(-1)?.id ?? lastCall;
    if (calls.length > 0) events.push(`event: calls\ndata: ${JSON.stringify(calls)}\n\n`);
    return events.join('');
  };
}
