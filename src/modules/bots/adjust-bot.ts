import type { Database } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { type Bot, MAX_SPONSORS, ROUND_SECONDS } from './bot.ts';
import { type BotOfAccount, lockOwnBot } from './own-bot.ts';
import { changeSettings, switchBot } from './register-bot.ts';
import type { BotSettings } from './store.ts';

/** A change of one setting of a bot. It names the new value, so applying it twice has no further effect. */
export type Adjustment =
  | { readonly kind: 'max_sponsors'; readonly value: number }
  | { readonly kind: 'round_seconds'; readonly value: number }
  | { readonly kind: 'collects_profiles'; readonly value: boolean }
  | { readonly kind: 'resource_type'; readonly type: ExcludableType; readonly isExcluded: boolean }
  | { readonly kind: 'order'; readonly orderId: number; readonly isExcluded: boolean };

export const RESOURCE_TYPES = ['channel', 'bot'] as const;
type ExcludableType = (typeof RESOURCE_TYPES)[number];
export const MAX_EXCLUDED_ORDERS = 200;

/** Changes one setting of an account's own bot and returns the changed bot. */
export async function adjustBot(db: Database, input: BotOfAccount & { adjustment: Adjustment }): Promise<Bot> {
  return db.transaction(async (tx) => {
    const bot = await lockOwnBot(tx, input);
    const changed = await changeSettings(tx, bot.id, changeOf(bot, input.adjustment));
    if (changed === undefined) throw new Error('a bot vanished while it was locked');
    return changed;
  });
}

function changeOf(bot: Bot, adjustment: Adjustment): Partial<BotSettings> {
  switch (adjustment.kind) {
    case 'max_sponsors':
      return { maxSponsors: within(adjustment.value, MAX_SPONSORS) };
    case 'round_seconds':
      return { roundSeconds: within(adjustment.value, ROUND_SECONDS) };
    case 'collects_profiles':
      return { collectsProfiles: adjustment.value };
    case 'resource_type': {
      const excludedResourceTypes = changeSet<string>(
        bot.excludedResourceTypes,
        adjustment.type,
        adjustment.isExcluded,
      );
      if (RESOURCE_TYPES.every((type) => excludedResourceTypes.includes(type))) {
        throw new ApiError('validation_failed', 'Channels and bots cannot both be excluded: nothing would be left.');
      }
      return { excludedResourceTypes };
    }
    case 'order': {
      const excludedOrderIds = changeSet(bot.excludedOrderIds, adjustment.orderId, adjustment.isExcluded);
      if (excludedOrderIds.length > MAX_EXCLUDED_ORDERS) {
        throw new ApiError('validation_failed', `At most ${MAX_EXCLUDED_ORDERS} orders can be excluded.`);
      }
      return { excludedOrderIds };
    }
  }
}

function within(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ApiError('validation_failed', `A whole number from ${min} to ${max} is needed.`);
}

function changeSet<Item>(items: ReadonlySet<Item>, item: Item, isThere: boolean): Item[] {
  const others = [...items].filter((other) => other !== item);
  return isThere ? [...others, item] : others;
}

/** Switches a bot on or off. Tokens of a bot that is off are refused. */
export async function switchOwnBot(db: Database, input: BotOfAccount & { isActive: boolean }): Promise<Bot> {
  return db.transaction(async (tx) => {
    const bot = await lockOwnBot(tx, input);
    await switchBot(tx, bot.id, input.isActive);
    return { ...bot, isActive: input.isActive };
  });
}
