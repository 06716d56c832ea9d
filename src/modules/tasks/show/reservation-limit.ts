import type { BotProgress } from '../bot-progress-store.ts';

/** Added to the shown tasks of every bot, so that the first subscription of a new bot does not count as 100 %. */
const PRIOR_SHOWN = 20;
/** Reserved tasks per kept subscription of a bot that converts every showing. A bot with 10 % gets a tenth of it. */
const PER_SUBSCRIPTION = 100;
/** The part of a bot's limit that users unknown to Telegram may use: their ids may be invented. */
const SHARE_OF_UNKNOWN = 1 / 4;

/**
 * Returns how many tasks a bot may have reserved at a time: a few at first, and more with every subscription that
 * stays, in proportion to its conversion. Otherwise one bot could reserve every slot of an order with invented users.
 */
export function reservationLimit(
  { shownTotal, confirmedTotal, reversedTotal }: BotProgress,
  { ofNewBot, isKnownToTelegram }: { readonly ofNewBot: number; readonly isKnownToTelegram: boolean },
): number {
  const proven = Math.max(0, confirmedTotal - reversedTotal);
  const conversion = Math.min(1, proven / (shownTotal + PRIOR_SHOWN));
  const limit = ofNewBot + Math.floor(proven * conversion * PER_SUBSCRIPTION);
  return isKnownToTelegram ? limit : Math.max(ofNewBot, Math.floor(limit * SHARE_OF_UNKNOWN));
}
