/** What a bot has shown so far, and what came of it. */
export interface BotProgress {
  /** Open tasks for which an order keeps a slot. */
  readonly reservedCount: number;
  readonly shownTotal: number;
  readonly confirmedTotal: number;
  readonly reversedTotal: number;
}

/** A new bot is taken to have shown this many tasks without a subscription, so that its first ones do not count as 100 %. */
const PRIOR_SHOWN = 20;
/** Open tasks per proven subscription of a bot in which every showing converts; one with 10 % gets a tenth of it. */
const PER_SUBSCRIPTION = 100;
/** Users of whom Telegram has told us nothing may use this part of a bot's limit: their ids may be invented. */
const SHARE_OF_UNSEEN = 1 / 4;

/**
 * How many tasks a bot may have reserved at a time: a few at first, and more with every subscription that stayed, in
 * proportion to how many showings it took. Without it one bot could reserve every slot of an order with invented users.
 */
export function reservationLimit(
  { shownTotal, confirmedTotal, reversedTotal }: BotProgress,
  { ofNewBot, isSeen }: { readonly ofNewBot: number; readonly isSeen: boolean },
): number {
  const proven = Math.max(0, confirmedTotal - reversedTotal);
  const conversion = Math.min(1, proven / (shownTotal + PRIOR_SHOWN));
  const limit = ofNewBot + Math.floor(proven * conversion * PER_SUBSCRIPTION);
  return isSeen ? limit : Math.max(ofNewBot, Math.floor(limit * SHARE_OF_UNSEEN));
}
