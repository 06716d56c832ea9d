import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Listener, Subscription } from '../core/database.ts';
import {
  CONNECT_LIMIT_MS,
  closeAtOnce,
  connectToPrimary,
  type DirectAccess,
  type PrimaryGuard,
} from './primary-guard.ts';

const RECONNECT_MS = 200;
/** How often a query tests the connection. It detects a silently lost connection (a cut cable, a proxy). */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 3_000;

/** Keeps one dedicated connection listening until the subscription is closed, also across restarts of the server. */
export async function listenOn(access: DirectAccess, channel: string, listener: Listener): Promise<Subscription> {
  const { guard, untilBack, onError } = access;
  const stop = new AbortController();
  let current = await connect(access, channel, listener);
  const loop = keepListening();

  async function keepListening(): Promise<void> {
    while (!stop.signal.aborted) {
      await untilBroken(current, guard, stop.signal);
      // An orderly end would wait for a server that may hang.
      if (!stop.signal.aborted) closeAtOnce(current);
      while (!stop.signal.aborted) {
        await untilBack(stop.signal);
        if (stop.signal.aborted) break;
        try {
          current = await connect(access, channel, listener);
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

async function connect({ url, guard }: DirectAccess, channel: string, listener: Listener): Promise<pg.Client> {
  const client = await connectToPrimary(guard, {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: HEARTBEAT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sponsorgate listener',
  });
  client.on('notification', (message) => listener.onNotify(message.payload ?? ''));
  try {
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    return client;
  } catch (error) {
    closeAtOnce(client);
    throw error;
  }
}

/** Waits until the connection breaks, its server stops responding, or its server is no longer the primary. */
async function untilBroken(client: pg.Client, guard: PrimaryGuard, signal: AbortSignal): Promise<void> {
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
      await guard.admit(client);
    } catch {
      return;
    }
  }
}
