import { systemClock } from '../../src/core/clock.ts';
import { changeOrderStatus } from '../../src/modules/orders/index.ts';
import { bindPayouts, type Payouts } from '../support/money-use-cases.ts';
import { freshUser, type Sandbox } from '../support/sandbox.ts';
import { type AttackedService, attack } from './attack.ts';

const PRICE = 100;
const USERS = 10;
const DEPOSIT_KOPECKS = BigInt(PRICE * USERS * 100);

const payoutsOf = ({ database }: AttackedService): Payouts =>
  bindPayouts({
    db: database.db,
    clock: systemClock,
    minimumKopecks: 1n,
    cryptoPay: undefined,
  });

const cancel = ({ database }: AttackedService, orderId: number) =>
  database.db.transaction((tx) => changeOrderStatus(tx, { orderId, to: 'cancelled', at: systemClock.now() }));

/** Withdraws as much as the service allows, and returns that amount. */
async function withdrawAll(payouts: Payouts, accountId: number): Promise<bigint> {
  const ask = (amountKopecks: bigint) =>
    payouts.request({ accountId, key: crypto.randomUUID(), amountKopecks, method: 'manual', destination: 'a card' });
  const outcome = await ask(10n ** 12n);
  if (outcome.kind !== 'insufficient_funds' || outcome.withdrawableKopecks === 0n) return 0n;
  const paid = await ask(outcome.withdrawableKopecks);
  return paid.kind === 'requested' ? paid.payout.amountKopecks : 0n;
}

async function joined(sandbox: Sandbox, token: string, order: { orderId: number; chatId: number; accountId: number }) {
  const users = Array.from({ length: USERS }, freshUser);
  for (const user of users) await sandbox.subscribe(token, order, user);
  return users;
}

for (const holdHours of [0, 1]) {
  attack(`01 two accounts of one person withdraw an unsettled reward, hold of ${holdHours} h`, async (service) => {
    const { sandbox } = service;
    const payouts = payoutsOf(service);
    const publisher = await sandbox.publisher({ max_sponsors: 1 });
    const order = await sandbox.advertise({ price_per_sub: PRICE, quantity: USERS, hold_hours: holdHours });
    const users = await joined(sandbox, publisher.token, order);
    await sandbox.advance(2 * 3600);
    let out = await withdrawAll(payouts, publisher.accountId);
    for (const user of users) await sandbox.leave(order.chatId, user);
    await cancel(service, order.orderId);
    out += await withdrawAll(payouts, order.accountId);
    return out - DEPOSIT_KOPECKS;
  });
}

attack('01 an unsettled reward buys an order of a third account, which settles first', async (service) => {
  const { sandbox } = service;
  const payouts = payoutsOf(service);
  const first = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: PRICE, quantity: USERS, hold_hours: 0 });
  const users = await joined(sandbox, first.token, order);

  const { chat_id: chatId } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'Laundry' });
  const bought = await sandbox.call('POST', '/sandbox/orders', {
    account_id: first.accountId,
    chat_id: chatId,
    price_per_sub: 70,
    quantity: USERS,
    hold_hours: 0,
  });
  let out = 0n;
  if (bought.status < 300) {
    const second = await sandbox.publisher({ max_sponsors: 1 });
    await joined(sandbox, second.token, { accountId: first.accountId, orderId: bought.body.order_id, chatId });
    for (const user of users) await sandbox.leave(order.chatId, user);
    await sandbox.advance(24 * 3600);
    out += await withdrawAll(payouts, second.accountId);
  } else {
    for (const user of users) await sandbox.leave(order.chatId, user);
  }
  await cancel(service, order.orderId);
  out += await withdrawAll(payouts, order.accountId);
  return out - DEPOSIT_KOPECKS;
});
