import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { onceOnly } from '../accounts/index.ts';
import { createOrder, type NewOrder } from './create-order.ts';
import { proveBotOwner } from './prove-bot-owner.ts';
import { notYourBot, ownerBanned, resourceOf, telegramUnavailable, tooPoor } from './refusals.ts';
import type { ResourceResolver, ResourceWish } from './resource-resolver.ts';

export interface PlaceOrderDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly resolver: ResourceResolver;
  readonly publisherSharePercent: number;
  /** Whether an operator looks at new orders first. */
  readonly isModerated: boolean;
}

export interface PlaceOrderInput {
  readonly accountId: number;
  /** Names the request, so that one which is sent twice buys once; without it every request buys. */
  readonly key: string | undefined;
  /** What was asked for, as it was asked: the same key with another request is a mistake. */
  readonly request: unknown;
  readonly resource: ResourceWish;
  readonly terms: Omit<NewOrder, 'accountId' | 'resource' | 'link' | 'status' | 'at'>;
}

/** Buys an order: what is advertised is looked at first, and the order is shown at once unless an operator is to see it. */
export async function placeOrder(deps: PlaceOrderDeps, input: PlaceOrderInput): Promise<number> {
  const { accountId, key, request } = input;
  const resource = resourceOf(await deps.resolver.resolve(input.resource));
  if ('externalUsername' in resource) await refuseStrangers(deps, accountId, resource.externalUsername);
  const at = deps.clock.now();
  const { orderId } = await onceOnly(deps.db, { accountId, key, request, at }, async (tx) => {
    const created = await createOrder(deps, tx, {
      ...input.terms,
      accountId,
      resource,
      link: ('link' in resource ? resource.link : undefined) ?? input.resource.link,
      status: deps.isModerated ? 'moderation' : 'active',
      at,
    });
    // Thrown and not returned: an answer would be kept under the key, and the order could never be bought with it.
    if (created.kind === 'owner_banned') throw ownerBanned();
    if (created.kind === 'insufficient_funds') throw tooPoor(created.neededKopecks, created.availableKopecks);
    return { orderId: created.orderId };
  });
  return orderId;
}

/** An order for a bot of somebody else would use up its users: whoever they are shown to is counted once for ever. */
async function refuseStrangers(deps: PlaceOrderDeps, accountId: number, username: string): Promise<void> {
  const proof = await proveBotOwner(deps, accountId, username);
  if (proof.kind === 'unavailable') throw telegramUnavailable();
  if (proof.kind === 'unproved') throw notYourBot(username, proof.code);
}
