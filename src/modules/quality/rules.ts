import type { SourceFigures } from './figures.ts';
import { leastEvents, shareInterval, wilson } from './interval.ts';
import type { Market } from './market.ts';

/** What a rule found: the points that the source loses, and the figures of the sentence that explains them. */
interface Penalty {
  readonly points: number;
  readonly figures: Readonly<Record<string, number>>;
}
export type Rule = (figures: SourceFigures, market: Market) => Penalty;

/** The worst figures that may count as usual, so that a market full of farms does not excuse the next one. */
const MOST_SUSPICIOUS = 0.25;
const MOST_EARLY_LEFT = 0.2;

/** Returns the points for an excess: 0 at 0, `most` at `full` and above. */
function graded(excess: number, full: number, most: number): number {
  return Math.round(most * Math.min(1, Math.max(0, excess / full)));
}

const percent = (share: number): number => Math.round(share * 100);

const suspiciousUsers: Rule = ({ suspiciousUsers: hits, countedOrSuspiciousUsers: users }, market) => {
  const usual = Math.min(market.suspicious, MOST_SUSPICIOUS);
  const { low } = wilson(hits, users);
  const points = graded(low - Math.max(2 * usual, usual + 0.1), 0.35, 80);
  return { points, figures: { suspicious: hits, users, market: percent(market.suspicious) } };
};

/** Fewer days of exposure and fewer users who left prove nothing: the first one who leaves may be one of few. */
const LEAST_EARLY = { days: 2, ended: 4 };

/**
 * Returns the least share of subscribers who leave on the second and third day, by how soon they do it. A subscription of
 * 30 hours has had six of the 48 hours in which it can end early, so the leaves are compared with the time that passed.
 * Dishonest users are found on their second day, when most of them have not left yet.
 */
function leastShareByRate({ earlyDays, earlyEnded, users, subscriptions }: SourceFigures): number {
  // One user who leaves ends several subscriptions, as in `shareInterval`.
  const independent = Math.sqrt(Math.min(1, users / Math.max(1, subscriptions)));
  const [ended, days] = [earlyEnded * independent, earlyDays * independent];
  if (days < LEAST_EARLY.days || ended < LEAST_EARLY.ended) return 0;
  return 1 - Math.exp((-2 * leastEvents(ended)) / days);
}

const earlyLeaves: Rule = (figures, market) => {
  const { earlyLeft, earlyOf, users } = figures;
  const usual = Math.min(market.earlyLeft, MOST_EARLY_LEFT);
  const low = Math.max(shareInterval(earlyLeft, earlyOf, users).low, leastShareByRate(figures));
  const points = graded(low - Math.max(2 * usual, usual + 0.2), 0.25, 75);
  return { points, figures: { left: earlyLeft, of: earlyOf, market: percent(market.earlyLeft) } };
};

const connectedRevenue: Rule = ({ connectedKopecks, rewardKopecks }) => {
  const share = rewardKopecks > 0 ? connectedKopecks / rewardKopecks : 0;
  return { points: graded(share - 0.2, 0.3, 75), figures: { share: percent(share) } };
};

/** Among few sources or advertisers it is normal that one depends on the other. */
const LARGE_MARKET = { sources: 10, advertisers: 10 };

const oneAdvertiser: Rule = ({ largestKopecks, rewardKopecks, largestShareOfAdvertiser }, market) => {
  const isLarge = market.sources >= LARGE_MARKET.sources && market.advertisers >= LARGE_MARKET.advertisers;
  const share = rewardKopecks > 0 ? largestKopecks / rewardKopecks : 0;
  const mutual = Math.min(share, largestShareOfAdvertiser / 100);
  return {
    points: isLarge ? graded(mutual - 0.6, 0.2, 70) : 0,
    figures: { share: percent(share), spending: largestShareOfAdvertiser },
  };
};

/** Every real audience has many users who come once. A ring or a farm uses the same accounts again and again. */
const sameUsers: Rule = ({ onceUsers, knownUsers, subscriptions, users }, market) => {
  const { high } = wilson(onceUsers, knownUsers);
  const isMuchUsed = knownUsers >= 20 && subscriptions >= 2 * market.perUser * users;
  const points = isMuchUsed ? graded(Math.min(0.5, market.once * 0.65) - high, 0.12, 65) : 0;
  return { points, figures: { once: onceUsers, users: knownUsers, market: percent(market.once) } };
};

/**
 * Of the users whose device is known, many share it with another user of the same bot. A family shares one phone; a farm
 * keeps all its accounts on a few. The sharers must also be a tenth of all users: a rival can send a few accounts of one
 * phone to a large bot, whose other users have no known device.
 */
const sharedDevices: Rule = ({ deviceSharers, deviceUsers, countedOrSuspiciousUsers: users }) => {
  const { low } = wilson(deviceSharers, deviceUsers);
  const isMany = deviceUsers >= 8 && deviceSharers >= 0.1 * users;
  const points = isMany ? graded(low - 0.25, 0.3, 80) : 0;
  return { points, figures: { sharing: deviceSharers, known: deviceUsers } };
};

/** How far honest sources differ from the market, beyond chance: the standard deviation as a part of the usual share. */
const LEAVES_DIFFER = 0.35;
const OCCASIONAL_DIFFERS = 0.25;
/** How much the subscriptions of one user resemble each other. */
const ALIKE = 0.15;
/** Fewer subscriptions or users prove nothing: a small bot has neither leaves nor strangers by chance. */
const LEAST_STEADY = { subscriptions: 20, users: 15, known: 10 };
/** Each of the two figures must be this many standard deviations below the market. */
const LEAST_DEVIATION = 1.1;
/** Both together must be this many below. */
const LEAST_TOGETHER = 2;
/**
 * A small source is watched at most: a bot that rewards its users can have no stranger among the first twenty, and by
 * chance hardly one of them leaves.
 */
const SURE = { subscriptions: 30, users: 25 };
const MOST_UNSURE_POINTS = 55;

/** Returns by how many standard deviations a share is below the usual one. */
function deviation(hits: number, trials: number, usual: number, differs: number): number {
  const chance = (usual * (1 - usual)) / Math.max(1, trials);
  const deviates = Math.sqrt(chance + (differs * usual) ** 2);
  return deviates > 0 ? (usual - hits / Math.max(1, trials)) / deviates : 0;
}

/** Returns by how much fewer users came on one day only than usual, in standard deviations. */
const comesAgain = ({ onceUsers, knownUsers }: SourceFigures, market: Market): number =>
  knownUsers >= LEAST_STEADY.known ? deviation(onceUsers, knownUsers, market.once, OCCASIONAL_DIFFERS) : 0;

/**
 * Hardly a user leaves, and hardly one comes only once. People do both. The accounts of a farm are too expensive for the
 * second, and the first costs rewards. Either figure alone is found in good honest bots: rewarded users come back, and
 * loyal ones stay. Together they are not (decision 0185).
 */
const tooSteady: Rule = (figures, market) => {
  const { left3, of3, subscriptions, occasionalUsers, users } = figures;
  const independent = 1 + (subscriptions / Math.max(1, users) - 1) * ALIKE;
  const leaves = deviation(left3 / independent, of3 / independent, market.left3, LEAVES_DIFFER);
  // Few tasks for sale hide that the same accounts work: then no account has many subscriptions, but they come every day.
  const occasional = deviation(occasionalUsers, users, market.occasional, OCCASIONAL_DIFFERS);
  const familiar = Math.max(occasional, comesAgain(figures, market));
  const isEnough =
    market.sources >= LARGE_MARKET.sources && of3 >= LEAST_STEADY.subscriptions && users >= LEAST_STEADY.users;
  const isEvidence = isEnough && Math.min(leaves, familiar) >= LEAST_DEVIATION;
  const together = isEvidence ? (leaves + familiar) / Math.SQRT2 : 0;
  const isSure = of3 >= SURE.subscriptions && users >= SURE.users;
  return {
    // 2.0 makes a source watched, 2.8 low.
    points:
      together < LEAST_TOGETHER ? 0 : Math.min(isSure ? 85 : MOST_UNSURE_POINTS, graded(together + 0.25, 4.25, 85)),
    figures: {
      left: percent(left3 / Math.max(1, of3)),
      market_left: percent(market.left3),
      occasional: percent(occasionalUsers / Math.max(1, users)),
      market_occasional: percent(market.occasional),
    },
  };
};

/**
 * Most users also subscribe through bots of other owners, and they come back day after day. A ring of people does the
 * tasks of all its bots. Bots that advertise each other share users too, so this alone makes a source watched at most.
 */
const closedCircle: Rule = (figures, market) => {
  const { circleUsers, users } = figures;
  const { low } = wilson(circleUsers, users);
  const isLarge = market.sources >= LARGE_MARKET.sources;
  const returns = deviation(figures.onceUsers, figures.knownUsers, market.once, OCCASIONAL_DIFFERS);
  const points = isLarge && returns >= 1 ? graded(low - Math.max(2 * market.circle, market.circle + 0.2), 0.2, 45) : 0;
  return {
    points,
    figures: { shared: circleUsers, users, market: percent(market.circle) },
  };
};

/** In every real audience some users leave on the first day. */
const neverLeaves: Rule = ({ of1, stayed1, users }, market) => {
  const left = of1 - stayed1;
  const { high } = shareInterval(left, of1, users);
  return {
    points: graded(market.left1 * 0.55 - high, market.left1 * 0.3, 30),
    figures: { left, of: of1, market: percent(market.left1) },
  };
};

const staying: Rule = ({ stayed7, of7, stayed30, of30, users }, market) => {
  const week = graded(market.stayed7 * 0.8 - shareInterval(stayed7, of7, users).high, 0.3, 25);
  const month = graded(market.stayed30 * 0.7 - shareInterval(stayed30, of30, users).high, 0.3, 25);
  const isMonth = month > week;
  const figures = isMonth
    ? { days: 30, stayed: percent(stayed30 / of30), market: percent(market.stayed30), of: of30 }
    : { days: 7, stayed: percent(of7 > 0 ? stayed7 / of7 : 1), market: percent(market.stayed7), of: of7 };
  return { points: Math.max(week, month), figures };
};

const conversion: Rule = ({ confirmed, shown }, market) => {
  const hits = Math.min(confirmed, shown);
  const { low } = wilson(hits, shown);
  const points = market.conversion > 0.75 ? 0 : graded(low - Math.max(0.9, market.conversion * 1.2), 0.04, 20);
  const share = shown > 0 ? hits / shown : 0;
  return {
    points,
    figures: { conversion: percent(share), shown, market: percent(market.conversion) },
  };
};

const evenHours: Rule = ({ hourConcentration, subscriptions, users, activeHours }) => {
  // For n random times the concentration is about 1/√n, so few subscriptions prove nothing.
  const error = 2 / Math.sqrt(Math.max(1, Math.min(subscriptions, users)));
  const isEnough = users >= 100 && activeHours >= 48;
  const points = isEnough ? graded(0.22 - (hourConcentration + error), 0.12, 15) : 0;
  return {
    points,
    figures: { subscriptions, unevenness: percent(hourConcentration) },
  };
};

const bursts: Rule = ({ burst, subscriptions, users }) => {
  const { low } = shareInterval(burst, subscriptions, users);
  return { points: graded(low - 0.5, 0.3, 10), figures: { burst, subscriptions } };
};

const ownerOverlap: Rule = ({ overlapping, users, ownerBots }) => {
  const { low } = wilson(overlapping, users);
  return {
    points: ownerBots > 1 ? graded(low - 0.5, 0.4, 15) : 0,
    figures: { overlapping, users, bots: ownerBots },
  };
};

const refusedConfirms: Rule = ({ refused, subscriptions, users }, market) => {
  const of = refused + subscriptions;
  const { low } = shareInterval(refused, of, users);
  const usual = Math.min(market.refused, 0.5);
  const points = graded(low - Math.max(2 * usual, usual + 0.2), 0.3, 15);
  return { points, figures: { refused, of, market: percent(market.refused) } };
};

const fewUsers: Rule = ({ subscriptions, users }, market) => {
  const perUser = users > 0 ? subscriptions / users : 0;
  const usual = Math.max(market.perUser, 2);
  const points = perUser < 12 ? 0 : graded(perUser / usual - 4, 4, 20);
  return { points, figures: { subscriptions, users } };
};

/** Evidence: each of these can make a source low. By the code of the reason, in the order of the texts. */
export const STRONG_RULES: Readonly<Record<string, Rule>> = {
  suspicious_users: suspiciousUsers,
  early_leaves: earlyLeaves,
  connected_revenue: connectedRevenue,
  one_advertiser: oneAdvertiser,
  same_users: sameUsers,
  too_steady: tooSteady,
  shared_devices: sharedDevices,
};

/**
 * What unusual honest bots can have too: rewarded users leave more, a night-time bot has few hours, a broadcast makes a
 * burst.
 */
export const WEAK_RULES: Readonly<Record<string, Rule>> = {
  closed_circle: closedCircle,
  staying,
  never_leaves: neverLeaves,
  conversion,
  even_hours: evenHours,
  bursts,
  owner_overlap: ownerOverlap,
  refused_confirms: refusedConfirms,
  few_users: fewUsers,
};
