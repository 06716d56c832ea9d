import type { Database, Subscription } from '../core/database.ts';
import type { FloodWaits, ToldWait } from './flood-waits.ts';

/** Every process listens here: a wait that one of them received applies to all. */
const CHANNEL = 'sponsorgate_flood_waits';

/** Returns a function that tells a wait to the other processes. A wait that is not told costs each of them one 429. */
export const tellFloods =
  (db: Database, log: { warn(details: object, message: string): void }) =>
  (wait: ToldWait): void => {
    void db
      .transaction((tx) => tx.notify(CHANNEL, JSON.stringify(wait)))
      .catch((err: unknown) => log.warn({ err }, 'flood wait not told to the other processes'));
  };

export function hearFloods(db: Database, floods: Pick<FloodWaits, 'heard'>): Promise<Subscription> {
  return db.listen(CHANNEL, {
    onNotify(payload) {
      const wait = waitIn(payload);
      if (wait !== undefined) floods.heard(wait);
    },
    // Waits that were told meanwhile are learnt from the next 429.
    onReconnect: () => undefined,
  });
}

/** Reads a payload; undefined when a newer version sent something else. */
function waitIn(payload: string): ToldWait | undefined {
  try {
    const { caller, chatId, leftMs } = JSON.parse(payload) as Partial<ToldWait>;
    if (typeof caller !== 'string' || typeof leftMs !== 'number' || !(leftMs > 0)) return undefined;
    return typeof chatId === 'number' || chatId === null ? { caller, chatId, leftMs } : undefined;
  } catch {
    return undefined;
  }
}
