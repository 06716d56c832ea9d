import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CHANGES_CHANNEL, decodeChange } from '../core/changes.ts';
import type { Database } from '../core/database.ts';
import { StartError } from '../core/errors.ts';
import type { TokenCache } from '../modules/bots/index.ts';
import type { ConnectionBook } from '../modules/cases/index.ts';
import type { SmartLinks } from '../modules/links/index.ts';
import type { OrderBook } from '../modules/orders/index.ts';
import type { QualityBook } from '../modules/quality/index.ts';
import type { CheckerBots } from '../telegram/index.ts';

/**
 * Orders also change without a published change: hours of showing begin, days end, conversion moves, or a notification
 * is lost. The process therefore refreshes the order book in parts, one part per second. With very many orders it
 * pauses longer, so that refreshing takes at most a twentieth of the time.
 */
const REFRESH_MS = 1_000;
const SHARE_OF_TIME = 20;
/** Payouts and devices connect accounts without a published change. */
const CONNECTIONS_MS = 30_000;
const HEAR_WITHIN_MS = 10_000;

/** Applies published changes to the caches of this process. */
export async function followChanges(
  db: Database,
  {
    book,
    connections,
    quality,
    tokens,
    links,
    checkerBots,
    log,
  }: {
    book: OrderBook;
    connections: ConnectionBook;
    quality: QualityBook;
    tokens: TokenCache;
    links: SmartLinks;
    checkerBots: Pick<CheckerBots, 'reload'>;
    log: Logger;
  },
): Promise<{ close(): Promise<void> }> {
  const failed = (err: unknown): void => log.warn({ err }, 'change not applied to the caches; the next refresh will');

  async function apply(payload: string): Promise<void> {
    const change = decodeChange(payload);
    if (change?.kind === 'bot') tokens.invalidateBot(change.id);
    if (change?.kind === 'link') links.invalidateLink(change.id);
    if (change?.kind === 'order') await book.reload([change.id]).catch(failed);
    if (change?.kind === 'advertiser') await connections.reloadAccount(change.id).catch(failed);
    if (change?.kind === 'quality') await quality.reload().catch(failed);
    if (change?.kind === 'connections') await connections.reload().catch(failed);
    if (change?.kind === 'checker') await checkerBots.reload().catch(failed);
    if (change?.kind === 'everything') await reloadEverything();
  }

  async function reloadEverything(): Promise<void> {
    tokens.clear();
    links.clearCache();
    await checkerBots.reload().catch(failed);
    await book.reloadAll().catch(failed);
    await quality.reload().catch(failed);
    await connections.reload().catch(failed);
  }

  const greeting = `hello ${randomUUID()}`;
  const { promise: heard, resolve: hear } = Promise.withResolvers<boolean>();
  const subscription = await db.listen(CHANGES_CHANNEL, {
    onNotify(payload) {
      if (payload === greeting) hear(true);
      void apply(payload);
    },
    onOwnNotify: apply,
    onReconnect() {
      void reloadEverything();
    },
  });

  // A pooler in transaction mode accepts LISTEN but delivers no notification, so the caches would be stale without an
  // error. Test it with a notification of our own.
  await db.transaction((tx) => tx.notify(CHANGES_CHANNEL, greeting));
  const giveUp = setTimeout(() => hear(false), HEAR_WITHIN_MS);
  if (!(await heard)) {
    await subscription.close();
    throw new StartError(
      'notifications of PostgreSQL do not arrive: if DATABASE_URL leads to a pooler in transaction mode, set DATABASE_DIRECT_URL to PostgreSQL itself',
    );
  }
  clearTimeout(giveUp);

  const stopping = new AbortController();
  const refreshing = Promise.all([keepFresh(), keepConnected()]);

  async function keepFresh(): Promise<void> {
    let pauseMs = REFRESH_MS;
    while (!stopping.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const begin = performance.now();
      let share = 1;
      try {
        share = await book.refresh();
      } catch (error) {
        failed(error);
      }
      pauseMs = Math.max(REFRESH_MS * share, (performance.now() - begin) * SHARE_OF_TIME);
    }
  }

  async function keepConnected(): Promise<void> {
    let pauseMs = CONNECTIONS_MS;
    while (!stopping.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const begin = performance.now();
      await connections.reload().catch(failed);
      pauseMs = Math.max(CONNECTIONS_MS, (performance.now() - begin) * SHARE_OF_TIME);
    }
  }

  return {
    async close() {
      stopping.abort();
      await subscription.close();
      await refreshing;
    },
  };
}
