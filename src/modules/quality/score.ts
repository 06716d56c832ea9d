import { shareInterval, wilson } from './interval.ts';
import type { QualityReason } from './quality.ts';

/** What is counted about one source in the last 30 days. `src/modules/quality/figures-store.ts` reads it. */
export interface SourceFigures {
  readonly subscriptions: number;
  readonly users: number;
  readonly suspiciousUsers: number;
  /** Subscriptions that are old enough to tell whether the user left within three days, and how many did. */
  readonly earlyOf: number;
  readonly earlyLeft: number;
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
  readonly rewardKopecks: number;
  /** The part of the reward that accounts connected to the owner paid. */
  readonly connectedKopecks: number;
  /** The part that the largest advertiser paid, and this source's part of that advertiser's spending, in percent. */
  readonly largestKopecks: number;
  readonly largestShareOfAdvertiser: number;
}

/** The usual figures of the market: what half of the scored sources reach. */
export interface Market {
  readonly suspicious: number;
  readonly earlyLeft: number;
  readonly stayed7: number;
  readonly stayed30: number;
  readonly conversion: number;
  readonly refused: number;
  readonly perUser: number;
}

/** Stands for the market while there are too few sources to compare with. */
export const ASSUMED_MARKET: Market = {
  suspicious: 0.05,
  earlyLeft: 0.1,
  stayed7: 0.8,
  stayed30: 0.6,
  conversion: 0.4,
  refused: 0.1,
  perUser: 4,
};
const MIN_SOURCES = 5;

/** Returns the median of each figure. One source, or many dishonest ones below a half, cannot move it far. */
export function marketOf(sources: readonly SourceFigures[]): Market {
  const median = (assumed: number, value: (figures: SourceFigures) => number | undefined): number => {
    const values = sources.map(value).filter((one) => one !== undefined);
    if (values.length < MIN_SOURCES) return assumed;
    values.sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? assumed;
  };
  const share = (hits: number, of: number, least = 1): number | undefined => (of >= least ? hits / of : undefined);
  return {
    suspicious: median(ASSUMED_MARKET.suspicious, (one) => share(one.suspiciousUsers, one.users)),
    earlyLeft: median(ASSUMED_MARKET.earlyLeft, (one) => share(one.earlyLeft, one.earlyOf, 20)),
    stayed7: median(ASSUMED_MARKET.stayed7, (one) => share(one.stayed7, one.of7, 20)),
    stayed30: median(ASSUMED_MARKET.stayed30, (one) => share(one.stayed30, one.of30, 20)),
    conversion: median(ASSUMED_MARKET.conversion, (one) => share(Math.min(one.confirmed, one.shown), one.shown, 20)),
    refused: median(ASSUMED_MARKET.refused, (one) => share(one.refused, one.refused + one.subscriptions)),
    perUser: median(ASSUMED_MARKET.perUser, (one) => share(one.subscriptions, one.users)),
  };
}

/** The worst figures that may count as usual, so that a market full of farms does not excuse the next one. */
const MOST_SUSPICIOUS = 0.25;
const MOST_EARLY_LEFT = 0.3;

/**
 * Reasons that unusual honest bots can have too: rewarded users leave more, a night-time bot has few hours, a broadcast
 * makes a burst. Together they cost at most this much, so they never make a source `watched` by themselves.
 */
const MOST_WEAK_POINTS = 35;

interface Penalty extends QualityReason {
  readonly isWeak?: boolean;
}
type Rule = (figures: SourceFigures, market: Market) => Penalty;

/** Returns the points for an excess: 0 at 0, `most` at `full` and above. */
function graded(excess: number, full: number, most: number): number {
  return Math.round(most * Math.min(1, Math.max(0, excess / full)));
}

const percent = (share: number): number => Math.round(share * 100);

const suspiciousUsers: Rule = ({ suspiciousUsers: hits, users }, market) => {
  const usual = Math.min(market.suspicious, MOST_SUSPICIOUS);
  const { low } = wilson(hits, users);
  const points = graded(low - Math.max(2 * usual, usual + 0.1), 0.35, 80);
  return { code: 'suspicious_users', points, figures: { suspicious: hits, users, market: percent(market.suspicious) } };
};

const earlyLeaves: Rule = ({ earlyLeft, earlyOf, users }, market) => {
  const usual = Math.min(market.earlyLeft, MOST_EARLY_LEFT);
  const { low } = shareInterval(earlyLeft, earlyOf, users);
  const points = graded(low - Math.max(2 * usual, usual + 0.2), 0.3, 70);
  return { code: 'early_leaves', points, figures: { left: earlyLeft, of: earlyOf, market: percent(market.earlyLeft) } };
};

const connectedRevenue: Rule = ({ connectedKopecks, rewardKopecks, users }) => {
  const { low } = shareInterval(connectedKopecks, rewardKopecks, users);
  const share = rewardKopecks > 0 ? connectedKopecks / rewardKopecks : 0;
  return { code: 'connected_revenue', points: graded(low - 0.2, 0.4, 70), figures: { share: percent(share) } };
};

const staying: Rule = ({ stayed7, of7, stayed30, of30, users }, market) => {
  const week = graded(market.stayed7 * 0.8 - shareInterval(stayed7, of7, users).high, 0.3, 25);
  const month = graded(market.stayed30 * 0.7 - shareInterval(stayed30, of30, users).high, 0.3, 25);
  const isMonth = month > week;
  const figures = isMonth
    ? { days: 30, stayed: percent(stayed30 / of30), market: percent(market.stayed30), of: of30 }
    : { days: 7, stayed: percent(of7 > 0 ? stayed7 / of7 : 1), market: percent(market.stayed7), of: of7 };
  return { code: 'staying', points: Math.max(week, month), figures, isWeak: true };
};

const conversion: Rule = ({ confirmed, shown }, market) => {
  const hits = Math.min(confirmed, shown);
  const { low } = wilson(hits, shown);
  const points = market.conversion > 0.75 ? 0 : graded(low - Math.max(0.85, market.conversion * 1.3), 0.1, 15);
  const share = shown > 0 ? hits / shown : 0;
  return {
    code: 'conversion',
    points,
    figures: { conversion: percent(share), shown, market: percent(market.conversion) },
    isWeak: true,
  };
};

const evenHours: Rule = ({ hourConcentration, subscriptions, users, activeHours }) => {
  // For n random times the concentration is about 1/√n, so few subscriptions prove nothing.
  const error = 2 / Math.sqrt(Math.max(1, Math.min(subscriptions, users)));
  const isEnough = users >= 100 && activeHours >= 48;
  const points = isEnough ? graded(0.22 - (hourConcentration + error), 0.12, 15) : 0;
  return { code: 'even_hours', points, figures: { subscriptions, unevenness: percent(hourConcentration) }, isWeak: true };
};

const bursts: Rule = ({ burst, subscriptions, users }) => {
  const { low } = shareInterval(burst, subscriptions, users);
  return { code: 'bursts', points: graded(low - 0.5, 0.3, 10), figures: { burst, subscriptions }, isWeak: true };
};

const ownerOverlap: Rule = ({ overlapping, users, ownerBots }) => {
  const { low } = wilson(overlapping, users);
  return {
    code: 'owner_overlap',
    points: ownerBots > 1 ? graded(low - 0.5, 0.4, 15) : 0,
    figures: { overlapping, users, bots: ownerBots },
    isWeak: true,
  };
};

const oneAdvertiser: Rule = ({ largestKopecks, rewardKopecks, largestShareOfAdvertiser, users }) => {
  const { low } = shareInterval(largestKopecks, rewardKopecks, users);
  const mutual = Math.min(low, largestShareOfAdvertiser / 100);
  const share = rewardKopecks > 0 ? largestKopecks / rewardKopecks : 0;
  return {
    code: 'one_advertiser',
    points: graded(mutual - 0.6, 0.3, 25),
    figures: { share: percent(share), spending: largestShareOfAdvertiser },
    isWeak: true,
  };
};

const refusedConfirms: Rule = ({ refused, subscriptions, users }, market) => {
  const of = refused + subscriptions;
  const { low } = shareInterval(refused, of, users);
  const usual = Math.min(market.refused, 0.5);
  const points = graded(low - Math.max(2 * usual, usual + 0.2), 0.3, 15);
  return { code: 'refused_confirms', points, figures: { refused, of, market: percent(market.refused) }, isWeak: true };
};

const fewUsers: Rule = ({ subscriptions, users }, market) => {
  const perUser = users > 0 ? subscriptions / users : 0;
  const usual = Math.max(market.perUser, 2);
  const points = perUser < 12 ? 0 : graded(perUser / usual - 4, 4, 20);
  return { code: 'few_users', points, figures: { subscriptions, users }, isWeak: true };
};

const RULES: readonly Rule[] = [
  suspiciousUsers,
  earlyLeaves,
  connectedRevenue,
  staying,
  conversion,
  evenHours,
  bursts,
  ownerOverlap,
  oneAdvertiser,
  refusedConfirms,
  fewUsers,
];

/** The codes of all reasons, for the texts. */
export const REASON_CODES = [
  'suspicious_users',
  'early_leaves',
  'connected_revenue',
  'staying',
  'conversion',
  'even_hours',
  'bursts',
  'owner_overlap',
  'one_advertiser',
  'refused_confirms',
  'few_users',
] as const;

export interface Score {
  readonly score: number;
  /** All reasons that cost points, the strongest first. */
  readonly reasons: readonly QualityReason[];
}

/** Returns 100 minus the points of every rule for which the figures are evidence, and the reasons. */
export function scoreSource(figures: SourceFigures, market: Market): Score {
  const penalties = RULES.map((rule) => rule(figures, market)).filter(({ points }) => points > 0);
  const sum = (isWeak: boolean): number =>
    penalties.filter((one) => (one.isWeak ?? false) === isWeak).reduce((total, { points }) => total + points, 0);
  const score = Math.max(0, 100 - sum(false) - Math.min(MOST_WEAK_POINTS, sum(true)));
  const reasons = penalties
    .map(({ code, points, figures: shown }) => ({ code, points, figures: shown }))
    .sort((a, b) => b.points - a.points);
  return { score, reasons };
}
