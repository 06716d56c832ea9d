import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { lockBan, onceOnly } from '../accounts/index.ts';
import { type ChangeOutcome, changeOrderStatus, topUpOrder } from './change-order.ts';
import { BOT_TOKEN_PURPOSE } from './create-order.ts';
import { findOwnOrder, type OwnOrderRef } from './find-own-order.ts';
import { isExternal, type Order } from './order.ts';
import { assignChecker } from './pause-orders.ts';
import {
  orderNotFound,
  ownerBanned,
  resourceOf,
  stoppedByOperator,
  tooLarge,
  tooPoor,
  wrongStatus,
} from './refusals.ts';
import type { ResourceResolver } from './resource-resolver.ts';

export interface ChangeOwnDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Applies an owner's change. Throws if another account owns the order, or if its status does not allow the change. */
export async function changeOwnOrder(
  { db }: Pick<ChangeOwnDeps, 'db'>,
  ref: OwnOrderRef,
  change: (tx: Transaction, order: Order) => Promise<ChangeOutcome>,
): Promise<void> {
  const order = await findOwnOrder(db, ref);
  const outcome = await db.transaction((tx) => change(tx, order));
  if (outcome.kind === 'not_found') throw orderNotFound(order.id);
  if (outcome.kind === 'stopped') throw stoppedByOperator(order.id);
  if (outcome.kind === 'not_allowed') throw wrongStatus(order.id, outcome.status);
}

/** Pauses, resumes or cancels an order. After lost access it checks the resource again before it resumes the order. */
export async function moveOwnOrder(
  deps: ChangeOwnDeps & { readonly secrets: Secrets; readonly resolver: ResourceResolver },
  ref: OwnOrderRef,
  to: 'paused' | 'active' | 'cancelled',
): Promise<void> {
  const order = await findOwnOrder(deps.db, ref);
  // The owner cannot start an order that waits for an operator.
  if (order.status === 'moderation' && to === 'active') throw wrongStatus(order.id, order.status);
  const needsAccess = order.pauseReason === 'access_lost' && to === 'active';
  const checkerId = needsAccess ? await requireAccess(deps, order) : undefined;
  const at = deps.clock.now();
  await changeOwnOrder(deps, ref, async (tx) => {
    // A request that was authorised before a ban must not restart an order that the ban has paused.
    if (to === 'active' && (await lockBan(tx, order.accountId))?.isBanned !== false) throw ownerBanned();
    const outcome = await changeOrderStatus(tx, { orderId: order.id, to, at });
    if (checkerId !== undefined) await assignChecker(tx, { resourceId: order.resource.id, checkerId });
    return outcome;
  });
}

/** Throws unless one of our bots can check the resource. Returns the checker bot of a channel. */
async function requireAccess(
  { secrets, resolver }: { readonly secrets: Secrets; readonly resolver: ResourceResolver },
  { resource, link }: Order,
): Promise<number | null | undefined> {
  if (isExternal(resource)) return undefined;
  const { type, chatId, botTokenEncrypted: sealed } = resource;
  const botToken = sealed === null ? undefined : secrets.decrypt(BOT_TOKEN_PURPOSE, sealed);
  const found = resourceOf(await resolver.resolve({ type, link, chatId, botToken, isKnown: true }));
  return 'checkerId' in found ? found.checkerId : undefined;
}

/** Buys more subscriptions at the current charge. `key` identifies the request, so a repeated request buys once. */
export async function topUpOwnOrder(
  { db, clock }: ChangeOwnDeps,
  ref: OwnOrderRef,
  { quantity, key }: { readonly quantity: number; readonly key: string | undefined },
): Promise<void> {
  const { accountId } = ref;
  const { id: orderId } = await findOwnOrder(db, ref);
  const at = clock.now();
  await onceOnly(db, { accountId, key, request: { orderId, quantity }, at }, async (tx) => {
    const done = await topUpOrder(tx, { orderId, quantity, key: randomUUID(), at });
    if (done.kind === 'insufficient_funds') throw tooPoor(done.neededKopecks, done.availableKopecks);
    if (done.kind === 'not_allowed') throw wrongStatus(orderId, done.status);
    if (done.kind === 'too_large') throw tooLarge(orderId);
    return { orderId };
  });
}
