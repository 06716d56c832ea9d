import { publishChanges } from '../../core/changes.ts';
import type { Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Secrets } from '../../core/secrets.ts';
import { lockBan, lockFunds } from '../accounts/index.ts';
import { escrow, openAccounts, orderFundedTransfer, platform, postTransfers } from '../ledger/index.ts';
import { chargeFor, type Filters } from '../targeting/index.ts';
import { rewardFor } from './order.ts';
import type { ResolvedResource } from './resource-resolver.ts';
import { saveChatFacts, upsertExternalResource, upsertResource } from './resource-store.ts';
import { insertOrder } from './store.ts';

export const BOT_TOKEN_PURPOSE = 'advertiser-bot-token';

export interface NewOrder {
  readonly accountId: number;
  readonly resource: ResolvedResource;
  readonly name: string;
  readonly title: string;
  readonly link: string;
  readonly priceKopecks: Kopecks;
  readonly quantity: number;
  readonly holdSeconds: number;
  readonly refund: boolean;
  readonly dailyLimit: number | null;
  readonly filters?: Filters;
  readonly activeHours?: readonly number[] | null;
  readonly paceEvenly?: boolean;
  readonly status: 'moderation' | 'active';
  readonly at: Date;
}

export type CreateOrderOutcome =
  | { readonly kind: 'created'; readonly orderId: number }
  | { readonly kind: 'owner_banned' }
  | { readonly kind: 'insufficient_funds'; readonly neededKopecks: Kopecks; readonly availableKopecks: Kopecks };

async function saveResource(secrets: Secrets, tx: Transaction, resource: ResolvedResource, at: Date): Promise<number> {
  if ('externalUsername' in resource) return upsertExternalResource(tx, resource.externalUsername, at);
  const { type, chatId, botToken, chat, checkerId } = resource;
  const botTokenEncrypted = botToken === undefined ? null : secrets.encrypt(BOT_TOKEN_PURPOSE, botToken);
  const resourceId = await upsertResource(tx, { type, chatId, botTokenEncrypted, checkerId, at });
  if (chat !== undefined) await saveChatFacts(tx, resourceId, chat, at);
  return resourceId;
}

/**
 * Creates an order and moves its whole price from the owner's balance into escrow, or does nothing. Only settled money
 * pays: otherwise a reward could buy an order before it is reversed, and that order's publisher would earn it again.
 */
export async function createOrder(
  deps: { secrets: Secrets; publisherSharePercent: number },
  tx: Transaction,
  input: NewOrder,
): Promise<CreateOrderOutcome> {
  // A ban pauses the orders that it finds. It cannot see an uncommitted order, so the lock makes one wait for the
  // other.
  if ((await lockBan(tx, input.accountId))?.isBanned !== false) return { kind: 'owner_banned' };
  const filters = input.filters ?? {};
  const chargeKopecks = chargeFor(input.priceKopecks, filters);
  const neededKopecks = chargeKopecks * BigInt(input.quantity);
  const { withdrawableKopecks: availableKopecks } = await lockFunds(tx, input.accountId);
  if (availableKopecks < neededKopecks) return { kind: 'insufficient_funds', neededKopecks, availableKopecks };

  const resourceId = await saveResource(deps.secrets, tx, input.resource, input.at);
  const orderId = await insertOrder(tx, {
    ...input,
    filters,
    activeHours: input.activeHours ?? null,
    paceEvenly: input.paceEvenly ?? false,
    resourceId,
    chargeKopecks,
    rewardKopecks: rewardFor(input.priceKopecks, deps.publisherSharePercent),
  });
  await openAccounts(tx, [escrow(orderId), platform(orderId)]);
  const funding = orderFundedTransfer({ orderId, accountId: input.accountId, amountKopecks: neededKopecks });
  await postTransfers(tx, [funding], input.at);
  await publishChanges(tx, { kind: 'order', id: orderId }, { kind: 'advertiser', id: input.accountId });
  return { kind: 'created', orderId };
}
