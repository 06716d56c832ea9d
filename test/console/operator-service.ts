import assert from 'node:assert/strict';
import { type Owner, ownerWith, payoutsOf, said } from '../bot/balance-labels.ts';
import { eventually } from '../support/eventually.ts';
import type { Person } from '../support/person.ts';
import { freshUser, type Sandbox } from '../support/sandbox.ts';
import type { TestService } from '../support/service.ts';
import { Visitor } from './visitor.ts';

export const OPERATOR_ID = 990_401;
/** A service with an operator, in which new orders wait for moderation. */
export const OPERATED = { OPERATOR_IDS: String(OPERATOR_ID), ORDER_MODERATION: 'on' };

/** Returns the operator's browser; the first call signs in. */
export function operatorOf(service: { readonly sandbox: Sandbox }): () => Promise<Visitor> {
  let operator: Promise<Visitor> | undefined;
  return () => {
    operator ??= Visitor.signedIn(service.sandbox, { name: 'Op', userId: OPERATOR_ID });
    return operator;
  };
}

/** Creates an order that its owner has paid for (50 ₽ of 100) and that waits for moderation. */
export async function waitingOrder(sandbox: Sandbox, title = 'News'): Promise<Owner & { orderId: number }> {
  const owner = await ownerWith(sandbox, { language: 'en' }, 100);
  const bot = { account_id: owner.accountId, beta: true, username: `b${freshUser()}_bot` };
  const { token } = await sandbox.publisher(bot);
  const { link } = await sandbox.control('POST', '/chats', { type: 'channel', title });
  const order = { name: 'Spring', link, resource_type: 'channel', title, price_per_sub: 10, quantity: 5 };
  const { status, body } = await sandbox.api(token, 'orders', order);
  assert.equal(status, 201, JSON.stringify(body));
  return { ...owner, orderId: body.order_id };
}

/** Requests a manual payout of all 300 ₽ that its owner has. */
export async function waitingPayout(
  { sandbox, database }: Pick<TestService, 'sandbox' | 'database'>,
  destination = 'card <1>',
): Promise<Owner & { payoutId: number }> {
  const owner = await ownerWith(sandbox, { language: 'en' }, 300);
  const { accountId } = owner;
  const request = { accountId, key: 'a', amountKopecks: 30_000n, method: 'manual', destination } as const;
  const outcome = await payoutsOf(database.db).request(request);
  assert.ok(outcome.kind === 'requested');
  return { ...owner, payoutId: outcome.payout.id };
}

/** Returns the decisions about one subject and their details from the audit log, newest first. */
export async function decisionsAbout(
  { database }: Pick<TestService, 'database'>,
  subject: string,
): Promise<{ action: string; operator: number; details: object }[]> {
  return database.db.query(
    `SELECT action, operator_id::int AS operator, details FROM operator_actions WHERE subject = $1 ORDER BY id DESC`,
    [subject],
  );
}

/** Waits until the bot has sent a person a text once. */
export async function isTold(sandbox: Sandbox, person: Person, pattern: RegExp): Promise<void> {
  await sandbox.advance(1);
  await eventually(`the bot says ${pattern}`, async () => (await said(person, pattern)).length === 1);
}
