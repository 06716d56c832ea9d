import type { Queryable } from '../core/database.ts';
import { findAccount } from '../modules/accounts/index.ts';
import type { Order } from '../modules/orders/index.ts';
import type { Webhook } from '../modules/webhooks/index.ts';
import { type BotApi, failureOf } from './bot-api.ts';
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

/** Tells the owner of a webhook that nothing is sent to it any more. Throws when Telegram is away, to be tried again. */
export async function tellWebhookDisabled(
  { db, api, log }: { db: Queryable; api: BotApi; log: UpdatesLog },
  webhook: Pick<Webhook, 'id' | 'accountId' | 'url'>,
): Promise<void> {
  const account = await findAccount(db, webhook.accountId);
  if (account === undefined) return;
  try {
    await api.service.sendMessage(
      account.telegramUserId,
      `Вебхук №${webhook.id} (${webhook.url}) отключён: адрес слишком долго не отвечает или просил больше не слать.\n\n` +
        `Webhook ${webhook.id} is disabled: its address has failed for too long, or asked not to be sent to.`,
    );
  } catch (err) {
    // A person who blocked the bot will not be told by trying again.
    if (failureOf(err).kind !== 'refused') throw err;
    log.warn({ err, webhook: webhook.id }, 'the owner of a disabled webhook could not be told');
  }
}
