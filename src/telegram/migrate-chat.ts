import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { moveMemberships } from '../modules/audience/index.ts';
import { recordNotices } from '../modules/notices/index.ts';
import { moveOrdersToChat } from '../modules/orders/index.ts';
import type { ChatMigration } from './bot-api.ts';
import { moveBotChat } from './chat-access-store.ts';

export interface MigrateDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: { info(details: object, message: string): void };
}

/**
 * Moves the stored data of a basic group to its supergroup and notifies the owners of its orders. Telegram reports a
 * migration several times; only the first report finds data to move.
 */
export async function migrateChat({ db, clock, log }: MigrateDeps, migration: ChatMigration): Promise<void> {
  const at = clock.now();
  const moved = await db.transaction(async (tx) => {
    const isKnown = await moveBotChat(tx, migration);
    const orders = await moveOrdersToChat(tx, { ...migration, at });
    if (!isKnown && orders === undefined) return undefined;
    await moveMemberships(tx, migration);
    const notices = (orders ?? []).map(({ id, accountId, title }) => ({
      accountId,
      kind: 'chat_migrated' as const,
      data: { order_id: id, title },
    }));
    await recordNotices(tx, notices, at);
    return (orders ?? []).map(({ id }) => id);
  });
  if (moved !== undefined) log.info({ ...migration, orders: moved }, 'group became a supergroup; moved to its new id');
}
