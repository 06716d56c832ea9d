import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Listener, Subscription } from '../core/database.ts';

const RECONNECT_MS = 200;
/** How often a query tests the connection. It detects a silently lost connection (a cut cable, a proxy). */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 3_000;

/** Keeps one dedicated connection listening until the subscription is closed, also across restarts of the server. */
export async function listenOn(
  url: string,
  channel: string,
  listener: Listener,
  onError: (error: Error) => void,
): Promise<Subscription> {
  const stop = new AbortController();
  let current = await connect(url, channel, listener);
  const loop = keepListening();

  async function keepListening(): Promise<void> {
    while (!stop.signal.aborted) {
      await untilBroken(current, stop.signal);
      await current.end().catch(() => undefined);
      while (!stop.signal.aborted) {
        try {
          current = await connect(url, channel, listener);
          if (!stop.signal.aborted) listener.onReconnect();
          break;
        } catch (error) {
          onError(error instanceof Error ? error : new Error(String(error)));
          await sleep(RECONNECT_MS, undefined, { signal: stop.signal }).catch(() => undefined);
        }
      }
    }
    await current.end().catch(() => undefined);
  }

  return {
    async close() {
      stop.abort();
      await loop;
    },
  };
}

async function connect(url: string, channel: string, listener: Listener): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: HEARTBEAT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sponsorgate listener',
  });
  client.on('error', () => undefined); // the loop detects the loss through 'end' and the heartbeat
  client.on('notification', (message) => listener.onNotify(message.payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function untilBroken(client: pg.Client, signal: AbortSignal): Promise<void> {
  let ended = false;
  const wake = new AbortController();
  client.once('end', () => {
    ended = true;
    wake.abort();
  });
  signal.addEventListener('abort', () => wake.abort(), { once: true });
  while (!ended && !signal.aborted) {
    await sleep(HEARTBEAT_MS, undefined, { signal: wake.signal }).catch(() => undefined);
    if (ended || signal.aborted) return;
    try {
      await client.query('SELECT 1');
    } catch {
      return;
    }
  }
}
