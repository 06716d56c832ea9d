import type { Logger } from 'pino';
import { CHANGES_CHANNEL, decodeChange } from '../core/changes.ts';
import type { Database } from '../core/database.ts';
import type { TokenDirectory } from '../modules/bots/index.ts';
import type { SmartLinks } from '../modules/links/index.ts';
import type { OrderBook } from '../modules/orders/index.ts';

/** Conversion, day caps and whatever a lost message hid: the book is read anew this often. */
const REFRESH_MS = 5_000;

/** Keeps what this process holds in memory in step with what others write. */
export async function followChanges(
  db: Database,
  { book, tokens, links, log }: { book: OrderBook; tokens: TokenDirectory; links: SmartLinks; log: Logger },
): Promise<{ close(): Promise<void> }> {
  const failed = (err: unknown): void => log.warn({ err }, 'could not follow a change; the next refresh will');

  const subscription = await db.listen(CHANGES_CHANNEL, {
    onNotify(payload) {
      const change = decodeChange(payload);
      if (change?.kind === 'bot') tokens.forgetBot(change.id);
      if (change?.kind === 'order') book.reload([change.id]).catch(failed);
      if (change?.kind === 'link') links.forgetLink(change.id);
      if (change?.kind === 'everything') {
        tokens.forgetAll();
        links.forgetAll();
        book.reloadAll().catch(failed);
      }
    },
    onReconnect() {
      tokens.forgetAll();
      links.forgetAll();
      book.reloadAll().catch(failed);
    },
  });

  let refreshing = Promise.resolve();
  const timer = setInterval(() => {
    refreshing = refreshing.then(() => book.reloadAll()).catch(failed);
  }, REFRESH_MS);

  return {
    async close() {
      clearInterval(timer);
      await subscription.close();
      await refreshing;
    },
  };
}
