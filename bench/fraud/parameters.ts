/**
 * Every figure of the simulated market (`npm run bench -- fraud`). None of them is measured on real traffic: each is a
 * guess with its reason beside it. Change a figure here and run the benchmark to see what it does to the result.
 */

/** The behaviour of the users of a kind of bots. Shares are between 0 and 1. */
export interface UserHabits {
  /** The share of shown tasks that a user does. */
  readonly doesTask: number;
  /** The seconds between showing and joining: the median and the spread of a log-normal distribution. */
  readonly joinMedianSeconds: number;
  readonly joinSpread: number;
  /** The shares of joined users who have left after 1, 7 and 30 days. */
  readonly leftAfterDays: readonly [day1: number, day7: number, day30: number];
  /** The share of visits by users who were in this bot before. Others are new to the bot. */
  readonly returns: number;
}

/** The weight of each hour of the day in UTC. Most users live three to five hours east of it. */
const DAYTIME = [1, 1, 2, 4, 6, 8, 9, 9, 9, 9, 9, 9, 10, 10, 11, 12, 12, 11, 9, 7, 4, 3, 2, 1];
/** A bot for people who work or play at night. */
const NIGHT = [12, 12, 10, 8, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 8, 10, 12, 13, 13, 13];

/**
 * Honest users. A tenth leaves within a day and about a quarter within a week: public retention figures of bought
 * subscribers range from 60 to 85 % after a week.
 */
const ORDINARY: UserHabits = {
  doesTask: 0.55,
  joinMedianSeconds: 22,
  joinSpread: 0.9,
  leftAfterDays: [0.09, 0.26, 0.45],
  returns: 0.3,
};
/** Users who get coins for each task: they do more tasks, faster, come back daily, and leave more. */
const REWARDED: UserHabits = {
  doesTask: 0.8,
  joinMedianSeconds: 12,
  joinSpread: 0.7,
  leftAfterDays: [0.17, 0.42, 0.65],
  returns: 0.55,
};

export interface HonestKind {
  readonly kind: string;
  /** How many bots of this kind there are. */
  readonly bots: number;
  /** Visits per day: the median over the bots, and the spread of a log-normal distribution. */
  readonly visitsPerDay: number;
  readonly visitsSpread: number;
  readonly habits: UserHabits;
  readonly hours: readonly number[];
  /** The days on which a bot of this kind starts, first and last. */
  readonly startDays: readonly [number, number];
  /** The only language and country of its users; undefined: the mixture of `LANGUAGES`. */
  readonly country?: readonly [language: string, country: string];
}

export const DAYS = 14;
/** After the last visit the clock runs on, so that ordinary holds end and publishers ask for their money. */
export const DAYS_AFTER = 1.25;
/** The jobs run at these intervals. The scoring runs hourly in the service, so the simulation catches a farm later. */
export const STEP_HOURS = 8;
export const SEED = 20_261_116;

export const HONEST: readonly HonestKind[] = [
  // A few bots have most of the traffic, as everywhere.
  {
    kind: 'large',
    bots: 12,
    visitsPerDay: 36,
    visitsSpread: 0.3,
    habits: ORDINARY,
    hours: DAYTIME,
    startDays: [0, 0],
  },
  { kind: 'small', bots: 78, visitsPerDay: 3, visitsSpread: 0.7, habits: ORDINARY, hours: DAYTIME, startDays: [0, 0] },
  // New bots start with a burst of users: an advertisement of the bot itself.
  { kind: 'new', bots: 30, visitsPerDay: 11, visitsSpread: 0.5, habits: ORDINARY, hours: DAYTIME, startDays: [2, 11] },
  { kind: 'night', bots: 20, visitsPerDay: 8, visitsSpread: 0.4, habits: ORDINARY, hours: NIGHT, startDays: [0, 0] },
  {
    kind: 'one-country',
    bots: 30,
    visitsPerDay: 8,
    visitsSpread: 0.4,
    habits: ORDINARY,
    hours: DAYTIME,
    startDays: [0, 4],
    country: ['uz', 'UZ'],
  },
  {
    kind: 'incentive',
    bots: 30,
    visitsPerDay: 9,
    visitsSpread: 0.4,
    habits: REWARDED,
    hours: DAYTIME,
    startDays: [0, 6],
  },
];

/** Languages and countries of users in bots without one country, with their shares. */
export const LANGUAGES: readonly (readonly [language: string, country: string, share: number])[] = [
  ['ru', 'RU', 0.7],
  ['ru', 'BY', 0.07],
  ['ru', 'KZ', 0.08],
  ['uk', 'UA', 0.05],
  ['uz', 'UZ', 0.05],
  ['en', 'DE', 0.05],
];

/**
 * Bots of one kind differ. Each bot multiplies the shares of its kind by log-normal factors with these spreads: without
 * them every honest bot would look alike, and rules would seem better than they are.
 */
export const BOTS_DIFFER = { leaves: 0.3, doesTask: 0.2, returns: 0.35, joinSeconds: 0.25 } as const;
/** No factor moves a share above this. */
export const LARGEST_SHARE = 0.92;

/** Properties of honest users. */
export const PEOPLE = {
  /** The share of new visitors of a bot who already use another bot of the market. */
  fromOtherBots: 0.08,
  /** The share of users who opened a smart link, so that a mark of their address and the country are known. */
  opensLinks: 0.3,
  /** The share of those whose mobile network hides many subscribers behind one address, and how many it hides. */
  sharesAddress: 0.2,
  usersBehindAddress: 60,
  /** The share of those who use the device of another family member. */
  sharesDevice: 0.03,
  /** The share of people whose name a careless rule would call generated, such as `Алина2007`. */
  oddName: 0.06,
  hasUsername: 0.7,
  isPremium: 0.1,
  /** The share of honest accounts that are less than about half a year old. */
  newAccount: 0.14,
  /** The language of the app differs from the country in this share. */
  otherLanguage: 0.06,
  /** Tasks that a bot asks for at once. */
  tasksPerRound: 3,
} as const;

/**
 * The share of users who press the button of the human check when a task leads them to it. The others go on without it.
 * Guesses: no public service reports how many people pass such a page.
 */
export const PASSES_CHECK = {
  /** One button on the way to the channel. Some people distrust a page that they did not expect. */
  people: 0.85,
  /** A script without an app must fetch signed init data and send device data that fits it. Most farms do not bother. */
  massRegistered: 0.2,
  /** Done by hand on the phone that holds the account. It costs seconds, and without it the farm earns nothing. */
  boughtAccounts: 0.95,
} as const;
/** The share of people who pass the check without being asked, because a bot shows its link for `human_checked` orders. */
export const VOLUNTEERS = 0.05;

/** The dishonest kinds, five bots each. All of them ask for a payout as soon as money is withdrawable. */
export const DISHONEST_BOTS = 5;

/** A share of a farm's accounts acts per day, each doing up to `tasks` tasks. */
export interface Farm {
  readonly accounts: number;
  readonly visitsPerDay: number;
  readonly tasks: number;
  readonly doesTask: number;
  readonly joinMedianSeconds: number;
  readonly joinSpread: number;
  /** The hours that an account stays in a channel, from and to; Infinity: for ever. */
  readonly staysHours: readonly [number, number];
}

/** Accounts registered by a script in one evening: neighbouring ids, generated names, no sleep. They cost kopecks, so they are many. */
export const MASS_REGISTERED: Farm & { readonly idStep: number } = {
  accounts: 260,
  visitsPerDay: 25,
  tasks: 4,
  doesTask: 0.96,
  joinMedianSeconds: 4,
  joinSpread: 0.2,
  staysHours: [200, 900],
  /** The largest distance between the ids of two accounts. */
  idStep: 30,
};

/** Real people of a task exchange, who leave when the order's 24 hours are over. Most are new to the bot every day. */
export const LEAVERS: Farm & { readonly returns: number; readonly leaves: number } = {
  accounts: Number.POSITIVE_INFINITY,
  visitsPerDay: 30,
  tasks: 3,
  doesTask: 0.85,
  joinMedianSeconds: 14,
  joinSpread: 0.8,
  staysHours: [25, 27],
  returns: 0.2,
  /** The share of subscriptions that are ended after the window. */
  leaves: 0.9,
};

/** Old accounts, bought and kept on a few phones. Smart links see their address, and the human check sees the phones. */
export const DEVICE_FARM: Farm & { readonly devices: number; readonly opensLinks: number } = {
  accounts: 110,
  visitsPerDay: 25,
  tasks: 4,
  doesTask: 0.9,
  joinMedianSeconds: 9,
  joinSpread: 0.5,
  staysHours: [100, 500],
  devices: 3,
  /** The share of accounts that ever opened a smart link. */
  opensLinks: 0.6,
};

/** One ring of real people over all five bots, each of whom does every task of every bot for money. */
export const RING: Farm & { readonly people: number } = {
  people: 90,
  accounts: 90,
  visitsPerDay: 20,
  tasks: 5,
  doesTask: 0.97,
  joinMedianSeconds: 11,
  joinSpread: 0.6,
  staysHours: [60, 240],
};

/**
 * A publisher with a small honest bot buys from himself through a second account, to move money or to win a contest.
 * His orders are for a language that only his accounts send. Only the rewards of his own orders count as fraud.
 */
export const SELF_DEALING: Farm & {
  readonly honestVisitsPerDay: number;
  readonly orders: number;
  readonly priceRubles: number;
} = {
  accounts: 90,
  visitsPerDay: 14,
  tasks: 4,
  doesTask: 0.97,
  joinMedianSeconds: 15,
  joinSpread: 0.7,
  staysHours: [200, 900],
  honestVisitsPerDay: 6,
  orders: 5,
  priceRubles: 15,
};
/**
 * What the service can know about the two accounts of each of the five self-dealers: the same payment address or nothing.
 * All of them use one phone for both, but a device is stored only in the human check, to which nothing leads an owner.
 */
export const SELF_DEALING_LINKS = ['none', 'address', 'address', 'none', 'none'] as const;

/**
 * A slow and careful farm: old accounts with ids from everywhere, real names, human pauses and hours, different devices.
 * It must use each account often, because a good account costs as much as dozens of rewards.
 */
export const CAREFUL: Farm & {
  readonly startShare: number;
  readonly growthDays: number;
  readonly leavesEarly: number;
} = {
  accounts: 45,
  visitsPerDay: 22,
  tasks: 3,
  doesTask: 0.75,
  joinMedianSeconds: 24,
  joinSpread: 0.9,
  staysHours: [150, 400],
  /** It begins with this share of its visits and reaches all of them after `growthDays`. */
  startShare: 0.25,
  growthDays: 7,
  /** It gives up a few rewards, because an audience that never leaves is suspicious. */
  leavesEarly: 0.03,
};

export const ADVERTISERS = {
  honest: 95,
  /** They remove counted users before the window ends. */
  removers: 5,
  /** Prices in rubles, from and to. */
  priceRubles: [2, 8],
  /** Subscribers per day and order. The sum is about twice the demand, so that orders fill at different times. */
  dailyLimit: 60,
  /** The share of orders for one country. */
  oneCountry: 0.06,
  /** The share of counted users whom a remover removes, and the hours after the join. */
  removes: 0.6,
  removesAfterHours: [16, 23],
} as const;

/** The goals of issue 17. */
export const GOALS = {
  stopped: 0.9,
  stoppedCareful: 0.6,
  honestDelayed: 0.02,
  honestReversed: 0,
  scoringSeconds: 60,
} as const;
