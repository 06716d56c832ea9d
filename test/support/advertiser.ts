import assert from 'node:assert/strict';
import { systemClock } from '../../src/core/clock.ts';
import type { Database, Transaction } from '../../src/core/database.ts';
import { createSecrets, type Secrets } from '../../src/core/secrets.ts';
import { deposit, openAccount } from '../../src/modules/accounts/index.ts';
import { type CreateOrderOutcome, createOrder } from '../../src/modules/orders/index.ts';
import { freshUser } from './sandbox.ts';

/** Opens an account with money, without the bot. */
export function openRichAccount(db: Database, amountKopecks = 1_000_000n): Promise<number> {
  const at = systemClock.now();
  return db.transaction(async (tx) => {
    const { id } = await openAccount(tx, { telegramUserId: freshUser(), name: 'An advertiser', at });
    await deposit(tx, { accountId: id, amountKopecks, key: `test:${id}`, at });
    return id;
  });
}

type Draft = Parameters<typeof createOrder>[2];

/** The owner and the resource of an order, and the fields that differ from the defaults of `orderIn`. */
export type OrderFields = Pick<Draft, 'accountId' | 'resource'> & Partial<Draft> & { readonly secrets?: Secrets };

export const channel = (chatId: number): Draft['resource'] => ({ type: 'channel', chatId });

/** Creates an order for ten subscriptions at ₽10, without the API. */
export function orderIn(
  tx: Transaction,
  { secrets = createSecrets('x'.repeat(32)), ...fields }: OrderFields,
): Promise<CreateOrderOutcome> {
  return createOrder({ secrets, publisherSharePercent: 70 }, tx, {
    name: 'An order',
    title: 'A channel',
    link: 'https://t.me/a_channel',
    priceKopecks: 1_000n,
    quantity: 10,
    holdSeconds: 86_400,
    refund: true,
    dailyLimit: null,
    status: 'active',
    at: systemClock.now(),
    ...fields,
  });
}

/** Creates an order like `orderIn` and fails the test when the order is refused. */
export async function buyOrder(db: Database, fields: OrderFields): Promise<number> {
  const outcome = await db.transaction((tx) => orderIn(tx, fields));
  assert.ok(outcome.kind === 'created');
  return outcome.orderId;
}
