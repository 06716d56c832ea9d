import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { onceOnly } from '../accounts/index.ts';
import { recordOperatorNotices } from '../notices/index.ts';
import { createOrder, type NewOrder } from './create-order.ts';
import { notYourBot, ownerBanned, resourceOf, telegramUnavailable, tooPoor } from './refusals.ts';
import type { RequestedResource, ResourceResolver } from './resource-resolver.ts';
import { isBotOwner, recordBotOwner } from './resource-store.ts';

export interface PlaceOrderDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly resolver: ResourceResolver;
  readonly publisherSharePercent: number;
  /** Whether an operator moderates new orders. */
  readonly isModerated: boolean;
  /** They get a notice of each order to moderate. */
  readonly operatorIds: ReadonlySet<number>;
}

export interface PlaceOrderInput {
  readonly accountId: number;
  /** Identifies the request, so that a repeated request buys once. Without a key every request buys. */
  readonly key: string | undefined;
  /** The original request. The same key with a different request is an error. */
  readonly request: unknown;
  readonly resource: RequestedResource;
  readonly terms: Omit<NewOrder, 'accountId' | 'resource' | 'link' | 'status' | 'at'>;
}

/** Buys an order: checks the resource first. The order is active at once unless an operator must approve it. */
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
    // Throw instead of returning: a returned result is stored under the key, and a retry with that key could never buy.
    if (created.kind === 'owner_banned') throw ownerBanned();
    if (created.kind === 'insufficient_funds') throw tooPoor(created.neededKopecks, created.availableKopecks);
    const { orderId } = created;
    if (deps.isModerated) {
      const notice = { kind: 'order_in_moderation', data: { order_id: orderId, title: input.terms.title } } as const;
      await recordOperatorNotices(tx, deps.operatorIds, notice, at);
    }
    return { orderId };
  });
  return orderId;
}

/**
 * Throws unless the account owns the bot. An order for a foreign bot would use up its users, because each user counts
 * once.
 */
async function refuseStrangers(deps: PlaceOrderDeps, accountId: number, username: string): Promise<void> {
  const proof = await proveBotOwner(deps, accountId, username);
  if (proof.kind === 'unavailable') throw telegramUnavailable();
  if (proof.kind === 'unproved') throw notYourBot(username, proof.code);
}

export interface ProveOwnerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly resolver: Pick<ResourceResolver, 'nameOfBot'>;
}

export type OwnerProof =
  | { readonly kind: 'proved' }
  /** The bot's name does not contain the code. Only the owner of the bot can add it. */
  | { readonly kind: 'unproved'; readonly code: string }
  | { readonly kind: 'unavailable' };

/** Letters and digits that are not easily confused. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

/**
 * Returns the code that proves the ownership of a bot to one account. It is derived, so it never changes and is not
 * stored.
 */
export function botOwnerCode(secrets: Secrets, accountId: number, username: string): string {
  const bytes = secrets.sign('bot-owner', `${accountId}:${username.toLowerCase()}`).subarray(0, CODE_LENGTH);
  return `SG-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/**
 * Proves that the account owns a bot without its token: the bot's name contains the account's code, and only the owner
 * can change the name. One proof is enough; the owner may remove the code afterwards.
 */
export async function proveBotOwner(deps: ProveOwnerDeps, accountId: number, username: string): Promise<OwnerProof> {
  const name = username.toLowerCase();
  if (await isBotOwner(deps.db, accountId, name)) return { kind: 'proved' };
  const code = botOwnerCode(deps.secrets, accountId, name);
  const shown = await deps.resolver.nameOfBot(name);
  if (shown === 'unavailable') return { kind: 'unavailable' };
  if (!shown.includes(code)) return { kind: 'unproved', code };
  await recordBotOwner(deps.db, { accountId, username: name, at: deps.clock.now() });
  return { kind: 'proved' };
}
