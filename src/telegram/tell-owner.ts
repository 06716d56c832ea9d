import type { Queryable } from '../core/database.ts';
import { findAccount } from '../modules/accounts/index.ts';
import type { Order } from '../modules/orders/index.ts';
import type { BotApi } from './bot-api.ts';
import type { UpdatesLog } from './updates.ts';

/** Tells an advertiser that the order stands still, and what to do about it. The pause itself does not wait for this. */
export async function tellAccessLost(
  { db, api, log }: { db: Queryable; api: BotApi; log: UpdatesLog },
  order: Order,
): Promise<void> {
  try {
    const account = await findAccount(db, order.accountId);
    if (account === undefined) return;
    await api.service.sendMessage(
      account.telegramUserId,
      `Заказ №${order.id} «${order.title}» приостановлен: бот больше не может проверять подписки. ` +
        `Верните боту права администратора и возобновите заказ.\n\n` +
        `Order ${order.id} is paused: the bot can no longer check its subscribers. ` +
        `Make the bot an administrator again, then resume the order.`,
    );
  } catch (err) {
    log.warn({ err, order: order.id }, 'the owner of a paused order could not be told');
  }
}
