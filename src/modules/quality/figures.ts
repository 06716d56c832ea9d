/**
 * What is counted about one source in the last 30 days. `figures-store.ts` reads it. Without other words, subscriptions and
 * users are those that Telegram proved; money and the volume count all of them.
 */
export interface SourceFigures {
  /** All counted subscriptions, also those in outside bots, which only the advertiser approved. */
  readonly volume: number;
  readonly subscriptions: number;
  readonly users: number;
  /** Users with a counted subscription and suspicious ones without, and all suspicious ones. Others can be invented. */
  readonly countedOrSuspiciousUsers: number;
  readonly suspiciousUsers: number;
  /** Users with one or two subscriptions. */
  readonly occasionalUsers: number;
  /** Users who came at least a day ago, and those of them who were active on one day only, over all bots. */
  readonly knownUsers: number;
  readonly onceUsers: number;
  /** Subscriptions that lasted a day, and those that ended soon after it or soon after their window. */
  readonly earlyOf: number;
  readonly earlyLeft: number;
  /** The days that subscriptions were between 24 and 72 hours old, and how many ended at that age. */
  readonly earlyDays: number;
  readonly earlyEnded: number;
  /** Subscriptions that are old enough to tell whether the user left within three days, and how many did. */
  readonly of3: number;
  readonly left3: number;
  /** Subscriptions of at least 1, 7 and 30 days, and how many of their users stayed that long. */
  readonly of1: number;
  readonly stayed1: number;
  readonly of7: number;
  readonly stayed7: number;
  readonly of30: number;
  readonly stayed30: number;
  readonly shown: number;
  readonly confirmed: number;
  /** Confirms of members that were not payable. */
  readonly refused: number;
  /** 0: as many subscriptions in every hour of the day; 1: all in one hour. */
  readonly hourConcentration: number;
  readonly activeHours: number;
  /** Subscriptions in hours with far more than the usual number. */
  readonly burst: number;
  /** Users whom another bot of the same owner brought too, and the owner's bots. */
  readonly overlapping: number;
  readonly ownerBots: number;
  /** Users whom bots of other owners brought too. */
  readonly circleUsers: number;
  /** Users whose device is known, and those who share it with another user of this bot. */
  readonly deviceUsers: number;
  readonly deviceSharers: number;
  readonly rewardKopecks: number;
  /** The part of the reward that accounts connected to the owner paid. */
  readonly connectedKopecks: number;
  /** The part that the largest advertiser paid, and this source's part of that advertiser's spending, in percent. */
  readonly largestKopecks: number;
  readonly largestShareOfAdvertiser: number;
}
