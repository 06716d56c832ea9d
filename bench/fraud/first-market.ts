/** The first generator of a market: its figures stand in parameters.ts. */
import { createDraw, type Draw } from './draw.ts';
import type {
  Act,
  MarketPlan,
  MarketUser,
  Phone,
  PlannedAdvertiser,
  PlannedBot,
  PlannedOrder,
  PlannedOwner,
  Visit,
} from './market.ts';
import {
  ADVERTISERS,
  BOTS_DIFFER,
  CAREFUL,
  DAYS,
  DAYS_AFTER,
  DEVICE_FARM,
  DISHONEST_BOTS,
  type Farm,
  HONEST,
  type HonestKind,
  LANGUAGES,
  LARGEST_SHARE,
  LEAVERS,
  MASS_REGISTERED,
  PASSES_CHECK,
  PEOPLE,
  RING,
  SEED,
  SELF_DEALING,
  SELF_DEALING_LINKS,
  STEP_HOURS,
  type UserHabits,
  VOLUNTEERS,
} from './parameters.ts';

export const START = Date.parse('2026-05-04T00:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** `scale` multiplies the numbers of bots and advertisers; every kind keeps at least one. */
export function planFirstMarket(scale = 1, seed = SEED): MarketPlan {
  const draw = createDraw(seed);
  const count = (full: number): number => Math.max(1, Math.round(full * scale));
  const owners = new Map<string, PlannedOwner>();
  const people = createPeople(draw.fork());
  const farms = count(DISHONEST_BOTS);
  const bots = [
    ...HONEST.flatMap((kind) => times(count(kind.bots), (i) => honestBot(draw.fork(), people, kind, i))),
    ...times(farms, (i) => massRegistered(draw.fork(), i)),
    ...times(farms, (i) => leavers(draw.fork(), people, i)),
    ...times(farms, (i) => deviceFarm(draw.fork(), i)),
    ...ring(draw.fork(), people, farms),
    ...times(farms, (i) => selfDealing(draw.fork(), people, owners, i)),
    ...times(farms, (i) => careful(draw.fork(), people, i)),
  ];
  const advertisers = [
    ...times(count(ADVERTISERS.honest), (i) => advertiser(draw, `advertiser-${i}`)),
    ...times(count(ADVERTISERS.removers), (i) => ({
      ...advertiser(draw, `remover-${i}`),
      removes: { share: ADVERTISERS.removes, afterHours: ADVERTISERS.removesAfterHours },
    })),
    ...times(farms, (i) => ownAdvertiser(i)),
  ];
  return { seed, days: DAYS, daysAfter: DAYS_AFTER, stepHours: STEP_HOURS, bots, advertisers, owners };
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const NAMES =
  'Анна Мария Елена Ольга Ирина Дарья Алина Алексей Сергей Иван Дмитрий Павел Олег Тимур Азиз Diana Max Leo Sofia'.split(
    ' ',
  );

/** Creates honest people, and remembers them so that bots share some of their users. */
interface People {
  create(country?: readonly [string, string]): MarketUser;
  /** A new visitor of a bot, who may use other bots already. */
  visitor(country?: readonly [string, string]): MarketUser;
}

function createPeople(draw: Draw): People {
  const known: MarketUser[] = [];
  const taken = new Set<number>();
  let devices = 0;
  const create: People['create'] = (only) => {
    const [language, country] = only ?? LANGUAGES[draw.weighted(LANGUAGES.map(([, , share]) => share))] ?? ['ru', 'RU'];
    let id = 0;
    do id = realId(draw);
    while (taken.has(id));
    taken.add(id);
    const device = draw.chance(PEOPLE.sharesDevice) && devices > 0 ? devices : ++devices;
    const isCrowded = draw.chance(PEOPLE.sharesAddress);
    const user: MarketUser = {
      id,
      firstName: draw.chance(PEOPLE.oddName) ? `${draw.pick(NAMES)}${draw.whole(1985, 2012)}` : draw.pick(NAMES),
      username: draw.chance(PEOPLE.hasUsername) ? `${draw.pick(['just', 'the', 'mr', 'my'])}_${id.toString(36)}` : '',
      language: draw.chance(PEOPLE.otherLanguage) ? 'en' : language,
      isPremium: draw.chance(PEOPLE.isPremium),
      phone: {
        country,
        device: `phone-${device}`,
        address: isCrowded
          ? `mobile-${country}-${Math.floor(known.length / PEOPLE.usersBehindAddress)}`
          : `home-${device}`,
      },
      opensLinks: draw.chance(PEOPLE.opensLinks),
      check: draw.chance(VOLUNTEERS) ? 'volunteers' : checkOf(draw, PASSES_CHECK.people),
    };
    known.push(user);
    return user;
  };
  return {
    create,
    visitor: (only) =>
      only === undefined && known.length > 100 && draw.chance(PEOPLE.fromOtherBots) ? draw.pick(known) : create(only),
  };
}

const checkOf = (draw: Draw, passes: number): MarketUser['check'] => (draw.chance(passes) ? 'passes' : 'ignores');

/** Ids of real people: spread over the years in which Telegram grew. */
function realId(draw: Draw): number {
  if (draw.chance(PEOPLE.newAccount)) return draw.whole(8_500_000_000, 8_850_000_000);
  return draw.chance(0.45) ? draw.whole(80_000_000, 2_150_000_000) : draw.whole(5_000_000_000, 8_500_000_000);
}

/** Draws the times of visits in a step: `perDay` in total, spread by the weights of the hours. */
function arrivals(
  draw: Draw,
  from: number,
  to: number,
  perDay: number,
  hours: readonly number[] | undefined,
): number[] {
  const total = hours?.reduce((sum, weight) => sum + weight, 0) ?? 24;
  const found: number[] = [];
  for (let hour = from; hour < to; hour += HOUR) {
    const weight = hours?.[new Date(hour).getUTCHours()] ?? 1;
    for (let i = draw.poisson((perDay * weight) / total); i > 0; i--)
      found.push(Math.floor(hour + draw.share() * HOUR));
  }
  return found.sort((a, b) => a - b);
}

function actOf(
  draw: Draw,
  habits: Pick<UserHabits, 'joinMedianSeconds' | 'joinSpread'>,
  leaveSeconds: number | undefined,
): Act {
  const joinSeconds = Math.min(
    1_500,
    Math.max(1, Math.round(draw.logNormal(habits.joinMedianSeconds, habits.joinSpread))),
  );
  return { joinSeconds, confirmSeconds: draw.whole(2, 12), leaveSeconds };
}

/** Draws after how many seconds an honest user leaves. Leaves within a day come early. */
function leaveOf(draw: Draw, [day1, day7, day30]: UserHabits['leftAfterDays']): number | undefined {
  const u = draw.share();
  if (u < day1) return Math.round(60 + draw.share() ** 2 * 86_000);
  if (u < day7) return Math.round(86_400 * draw.between(1.01, 7));
  return u < day30 ? Math.round(86_400 * draw.between(7, 30)) : undefined;
}

/** Visits of a bot with honest users. */
function honestVisits(
  draw: Draw,
  people: People,
  {
    perDay,
    habits,
    hours,
    country,
    startsAt,
  }: {
    readonly perDay: number;
    readonly habits: UserHabits;
    readonly hours: readonly number[];
    readonly country?: readonly [string, string] | undefined;
    readonly startsAt: number;
  },
): PlannedBot['visits'] {
  const own: MarketUser[] = [];
  return (from, to) => {
    if (from < startsAt) return [];
    return arrivals(draw, from, to, perDay, hours).map((at): Visit => {
      const user = own.length > 0 && draw.chance(habits.returns) ? draw.pick(own) : people.visitor(country);
      own.push(user);
      const random = draw.fork();
      return {
        at,
        user,
        tasks: PEOPLE.tasksPerRound,
        act: () =>
          random.chance(habits.doesTask) ? actOf(random, habits, leaveOf(random, habits.leftAfterDays)) : undefined,
      };
    });
  };
}

/** Returns the habits of the users of one bot. */
function habitsOfBot(
  draw: Draw,
  { doesTask, joinMedianSeconds, joinSpread, leftAfterDays, returns }: UserHabits,
): UserHabits {
  const capped = (share: number): number => Math.min(LARGEST_SHARE, share);
  const leaves = draw.logNormal(1, BOTS_DIFFER.leaves);
  const [day1, day7, day30] = leftAfterDays;
  return {
    doesTask: capped(doesTask * draw.logNormal(1, BOTS_DIFFER.doesTask)),
    joinMedianSeconds: joinMedianSeconds * draw.logNormal(1, BOTS_DIFFER.joinSeconds),
    joinSpread,
    leftAfterDays: [capped(day1 * leaves), capped(day7 * leaves), capped(day30 * leaves)],
    returns: capped(returns * draw.logNormal(1, BOTS_DIFFER.returns)),
  };
}

function honestBot(draw: Draw, people: People, kind: HonestKind, index: number): PlannedBot {
  const name = `${kind.kind}-${index}`;
  const perDay = draw.logNormal(kind.visitsPerDay, kind.visitsSpread);
  const startsAt = START + draw.whole(...kind.startDays) * DAY;
  const { kind: kindName, hours, country } = kind;
  const habits = habitsOfBot(draw, kind.habits);
  const visits = honestVisits(draw, people, { perDay, habits, hours, country, startsAt });
  // One owner in eight has two bots.
  return {
    name,
    kind: kindName,
    isDishonest: false,
    owner: `owner-${kindName}-${index - (index % 8 === 7 ? 1 : 0)}`,
    visits,
  };
}

/** Visits of a farm: each takes the accounts in turn, so that every account works equally often. */
function farmVisits(
  draw: Draw,
  farm: Farm,
  parts: {
    readonly accountAt: (visit: number) => MarketUser;
    readonly perDay?: (at: number) => number;
    readonly hours?: readonly number[];
    readonly startsAt?: number;
    readonly leaves?: number;
    readonly leavesEarly?: number;
    readonly wants?: (advertiser: string) => boolean;
  },
): PlannedBot['visits'] {
  let visit = 0;
  return (from, to) => {
    if (from < (parts.startsAt ?? START)) return [];
    return arrivals(draw, from, to, parts.perDay?.(from) ?? farm.visitsPerDay, parts.hours).map((at): Visit => {
      const random = draw.fork();
      return {
        at,
        user: parts.accountAt(visit++),
        tasks: farm.tasks,
        act({ advertiser: seller }) {
          if (!(parts.wants?.(seller) ?? true) || !random.chance(farm.doesTask)) return undefined;
          if (random.chance(parts.leavesEarly ?? 0)) return actOf(random, farm, random.whole(600, 80_000));
          const leaves = random.chance(parts.leaves ?? 1);
          return actOf(random, farm, leaves ? Math.round(3_600 * random.between(...farm.staysHours)) : undefined);
        },
      };
    });
  };
}

/** Farms begin on different days: a new farm must be caught too. */
const farmStart = (index: number): number => START + (index % 3) * 2 * DAY;

const farmBot = (kind: string, index: number, visits: PlannedBot['visits']): PlannedBot => ({
  name: `${kind}-${index}`,
  kind,
  isDishonest: true,
  owner: `farmer-${kind}-${index}`,
  visits,
});

function massRegistered(draw: Draw, index: number): PlannedBot {
  let id = 8_830_000_000 + index * 1_000_000;
  const accounts = times(MASS_REGISTERED.accounts, (i): MarketUser => {
    id += draw.whole(1, MASS_REGISTERED.idStep);
    const firstName = `${draw.pick(['Ivan', 'Anna', 'user', 'Maria'])}${draw.whole(10_000, 99_999)}`;
    return {
      id,
      firstName,
      username: `${firstName.toLowerCase()}${draw.whole(100, 999)}`,
      language: 'ru',
      isPremium: false,
      phone: { country: 'BD', device: `cloud-${id}`, address: `proxy-${draw.whole(1, 40)}` },
      opensLinks: i % 10 === 0,
      check: checkOf(draw, PASSES_CHECK.massRegistered),
    };
  });
  const accountAt = (visit: number): MarketUser => accounts[visit % accounts.length] as MarketUser;
  return farmBot(
    'mass-registered',
    index,
    farmVisits(draw, MASS_REGISTERED, { accountAt, startsAt: farmStart(index) }),
  );
}

function leavers(draw: Draw, people: People, index: number): PlannedBot {
  const own: MarketUser[] = [];
  const accountAt = (): MarketUser => {
    const user = own.length > 0 && draw.chance(LEAVERS.returns) ? draw.pick(own) : people.create();
    own.push(user);
    return user;
  };
  const { leaves } = LEAVERS;
  const hours = HONEST[0]?.hours ?? [];
  return farmBot('leavers', index, farmVisits(draw, LEAVERS, { accountAt, hours, leaves, startsAt: farmStart(index) }));
}

/** Bought accounts: any age, ordinary names. */
function boughtAccount(draw: Draw, { phone, opensLinks }: { phone?: Phone; opensLinks: boolean }): MarketUser {
  const id = realId(draw);
  return {
    id,
    firstName: draw.pick(NAMES),
    username: draw.chance(0.5) ? `id_${id.toString(36)}` : '',
    language: 'ru',
    isPremium: false,
    phone: phone ?? { country: 'RU', device: `bought-${id}`, address: `proxy-${id}` },
    opensLinks,
    check: checkOf(draw, PASSES_CHECK.boughtAccounts),
  };
}

function deviceFarm(draw: Draw, index: number): PlannedBot {
  const accounts = times(DEVICE_FARM.accounts, (i) => {
    const device = `farm-${index}-phone-${i % DEVICE_FARM.devices}`;
    const phone = { country: 'RU', device, address: `farm-${index}` };
    return boughtAccount(draw, { phone, opensLinks: draw.chance(DEVICE_FARM.opensLinks) });
  });
  const accountAt = (visit: number): MarketUser => accounts[visit % accounts.length] as MarketUser;
  return farmBot('device-farm', index, farmVisits(draw, DEVICE_FARM, { accountAt, startsAt: farmStart(index) }));
}

function ring(draw: Draw, people: People, bots: number): PlannedBot[] {
  const members = times(RING.people, () => people.create());
  const hours = HONEST[0]?.hours ?? [];
  return times(bots, (index) => {
    const accountAt = (visit: number): MarketUser => members[(visit * 7 + index * 13) % members.length] as MarketUser;
    return farmBot('ring', index, farmVisits(draw.fork(), RING, { accountAt, hours, startsAt: farmStart(index) }));
  });
}

/** Languages that no other user sends: the orders of each self-dealer are for one of them. */
const OWN_LANGUAGES = ['eo', 'ia', 'vo', 'io', 'ie'];
const ownLanguage = (index: number): string => OWN_LANGUAGES[index % OWN_LANGUAGES.length] ?? 'eo';
const secondAccount = (index: number): string => `self-dealer-${index}`;

function selfDealing(draw: Draw, people: People, owners: Map<string, PlannedOwner>, index: number): PlannedBot {
  const accounts = times(SELF_DEALING.accounts, () => ({
    ...boughtAccount(draw, { opensLinks: false }),
    language: ownLanguage(index),
  }));
  const accountAt = (visit: number): MarketUser => accounts[visit % accounts.length] as MarketUser;
  const link = SELF_DEALING_LINKS[index % SELF_DEALING_LINKS.length];
  for (const name of [`farmer-self-dealing-${index}`, secondAccount(index)]) {
    owners.set(name, link === 'address' ? { paymentAddress: `card 2200 7000 ${1_000 + index}` } : {});
  }
  const startsAt = farmStart(index);
  const wants = (seller: string): boolean => seller === secondAccount(index);
  const own = farmVisits(draw.fork(), SELF_DEALING, { accountAt, wants, startsAt, hours: HONEST[0]?.hours ?? [] });
  const { habits, hours } = HONEST[1] as HonestKind;
  const others = honestVisits(draw.fork(), people, {
    perDay: SELF_DEALING.honestVisitsPerDay,
    habits,
    hours,
    startsAt,
  });
  const visits: PlannedBot['visits'] = (from, to) =>
    [...own(from, to), ...others(from, to)].sort((a, b) => a.at - b.at);
  return { ...farmBot('self-dealing', index, visits), buysFrom: secondAccount(index) };
}

function careful(draw: Draw, people: People, index: number): PlannedBot {
  const accounts = times(CAREFUL.accounts, () => people.create());
  const startsAt = farmStart(index);
  const perDay = (at: number): number => {
    const grown = Math.min(1, (at - startsAt) / (CAREFUL.growthDays * DAY));
    return CAREFUL.visitsPerDay * (CAREFUL.startShare + (1 - CAREFUL.startShare) * grown);
  };
  const accountAt = (): MarketUser => draw.pick(accounts);
  const { leavesEarly } = CAREFUL;
  const hours = HONEST[0]?.hours ?? [];
  return farmBot(
    'careful',
    index,
    farmVisits(draw.fork(), CAREFUL, { accountAt, perDay, hours, startsAt, leavesEarly }),
  );
}

function advertiser(draw: Draw, name: string): PlannedAdvertiser {
  const order: PlannedOrder = {
    priceRubles: Math.round(draw.between(...ADVERTISERS.priceRubles) * 10) / 10,
    dailyLimit: Math.max(5, Math.round(draw.logNormal(ADVERTISERS.dailyLimit, 0.5))),
    ...(draw.chance(ADVERTISERS.oneCountry) && { languages: ['uz'] }),
  };
  return { name, orders: [order] };
}

const ownAdvertiser = (index: number): PlannedAdvertiser => ({
  name: secondAccount(index),
  orders: times(SELF_DEALING.orders, () => ({
    priceRubles: SELF_DEALING.priceRubles,
    dailyLimit: 100,
    languages: [ownLanguage(index)],
  })),
});
