/**
 * A second market, made in another way than bench/fraud/first-market.ts: other distributions, other shapes of farms,
 * other seeds. Rules that were fitted to the first market would fail here.
 */
import { createDraw, type Draw } from '../../bench/fraud/draw.ts';
import type {
  Act,
  MarketPlan,
  MarketUser,
  PlannedAdvertiser,
  PlannedBot,
  PlannedOwner,
  Visit,
} from '../../bench/fraud/market.ts';

export const START = Date.parse('2026-08-12T06:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 12;

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

export function planSecondMarket(seed: number): MarketPlan {
  const draw = createDraw(seed);
  const owners = new Map<string, PlannedOwner>();
  const bots = [
    ...times(4, (i) => honest(draw.fork(), 'busy', i, { perDay: 30 + 8 * i, phase: 15, keeps: 30 })),
    ...times(6, (i) => honest(draw.fork(), 'quiet', i, { perDay: 5 + i, phase: 17, keeps: 25 })),
    ...times(3, (i) => honest(draw.fork(), 'night', i, { perDay: 10 + 2 * i, phase: 1, keeps: 30 })),
    ...times(3, (i) => honest(draw.fork(), 'late starter', i, { perDay: 18, phase: 14, keeps: 30, startDay: 3 + i })),
    ...times(3, (i) => honest(draw.fork(), 'abroad', i, { perDay: 10 + 2 * i, phase: 8, keeps: 35, language: 'tr' })),
    ...times(3, (i) =>
      honest(draw.fork(), 'coins', i, { perDay: 14, phase: 16, keeps: 10, eager: 0.75, faithful: 0.6 }),
    ),
    massRegistered(draw.fork()),
    leavers(draw.fork()),
    deviceFarm(draw.fork()),
    ...ring(draw.fork()),
    selfDealing(draw.fork(), owners),
    careful(draw.fork()),
  ];
  const advertisers: PlannedAdvertiser[] = [
    ...times(28, (i) => ({
      name: `buyer-${i}`,
      orders: [{ priceRubles: 3 + (i % 5), dailyLimit: 20 + 5 * (i % 7), ...(i === 3 && { languages: ['tr'] }) }],
    })),
    {
      name: 'remover',
      orders: [{ priceRubles: 8, dailyLimit: 20 }],
      removes: { share: 0.8, afterHours: [10, 22] },
    },
    { name: 'second account', orders: times(3, () => ({ priceRubles: 25, dailyLimit: 50, languages: ['lb'] })) },
  ];
  return { seed, days: DAYS, daysAfter: 2, stepHours: 3, bots, advertisers, owners };
}

const SYLLABLES = 'ka mi ro ta le na so vi da ni'.split(' ');
const spoken = (draw: Draw): string => {
  const name = times(draw.whole(2, 3), () => draw.pick(SYLLABLES)).join('');
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** Ids that grow denser towards today: the service has more young users than old ones. */
const anyId = (draw: Draw): number => {
  const id = Math.floor(8_900_000_000 * Math.sqrt(draw.share()));
  return id > 2_150_000_000 && id < 5_000_000_000 ? id - 2_000_000_000 + draw.whole(0, 9) : Math.max(1_000_000, id);
};

/** Two people in three who are led to the human check pass it, and one in thirty volunteers. Farms pass it more often. */
const checkOf = (draw: Draw, passes = 2 / 3, volunteers = 1 / 30): MarketUser['check'] =>
  draw.chance(volunteers) ? 'volunteers' : draw.chance(passes) ? 'passes' : 'ignores';

function person(draw: Draw, language = 'ru'): MarketUser {
  const id = anyId(draw);
  // A dormitory, an office or a mobile network: one address in six belongs to many people.
  const address = draw.chance(1 / 6) ? `shared-${draw.whole(1, 12)}` : `own-${id}`;
  return {
    id,
    firstName: draw.chance(0.1) ? `${spoken(draw)} ${draw.whole(1, 99)}` : spoken(draw),
    username: draw.chance(0.6) ? `${spoken(draw).toLowerCase()}${draw.whole(1, 9_999)}` : '',
    language,
    isPremium: draw.chance(0.15),
    phone: { country: language === 'tr' ? 'TR' : 'RU', device: `of-${id}`, address },
    opensLinks: draw.chance(0.4),
    check: checkOf(draw),
  };
}

/** Visits follow a sine over the day, with more at the weekend. */
function arrivalsOf(draw: Draw, from: number, to: number, perDay: number, phase: number): number[] {
  const found: number[] = [];
  for (let hour = from; hour < to; hour += HOUR) {
    const date = new Date(hour);
    const wave = 1 + 0.85 * Math.cos((2 * Math.PI * (date.getUTCHours() - phase)) / 24);
    const weekend = date.getUTCDay() % 6 === 0 ? 1.3 : 0.9;
    for (let i = draw.poisson((perDay * wave * weekend) / 24); i > 0; i--)
      found.push(Math.floor(hour + draw.share() * HOUR));
  }
  return found.sort((a, b) => a - b);
}

const exponential = (draw: Draw, mean: number): number => -mean * Math.log(1 - draw.share());

interface Habits {
  readonly perDay: number;
  /** The hour of the most visits, UTC. */
  readonly phase: number;
  /** The mean number of days that a user stays. */
  readonly keeps: number;
  readonly startDay?: number;
  readonly language?: string;
  readonly eager?: number;
  /** The share of visits by known users. */
  readonly faithful?: number;
}

function honest(draw: Draw, kind: string, index: number, habits: Habits): PlannedBot {
  const { perDay, phase, keeps, startDay = 0, language, eager = 0.5, faithful = 0.25 } = habits;
  const own: MarketUser[] = [];
  return {
    name: `${kind.replaceAll(' ', '-')}-${index}`,
    kind,
    isDishonest: false,
    owner: `honest ${kind} ${index}`,
    visits(from, to) {
      if (from < START + startDay * DAY) return [];
      return arrivalsOf(draw, from, to, perDay, phase).map((at): Visit => {
        const user = own.length > 0 && draw.chance(faithful) ? draw.pick(own) : person(draw, language);
        own.push(user);
        const random = draw.fork();
        // Each person likes a different part of what is shown.
        const likes = random.between(eager - 0.3, Math.min(1, eager + 0.3));
        return {
          at,
          user,
          tasks: 3,
          act: () =>
            random.chance(likes)
              ? act(random, 5 + exponential(random, 25), exponential(random, keeps * 86_400))
              : undefined,
        };
      });
    },
  };
}

const act = (draw: Draw, joinSeconds: number, leaveSeconds: number | undefined): Act => ({
  joinSeconds: Math.min(1_200, Math.max(1, Math.round(joinSeconds))),
  confirmSeconds: draw.whole(1, 20),
  leaveSeconds: leaveSeconds === undefined ? undefined : Math.round(leaveSeconds),
});

interface FarmShape {
  readonly perDay: number;
  readonly phase?: number;
  readonly startDay: number;
  readonly tasks: number;
  readonly user: (visit: number) => MarketUser;
  readonly act: (random: Draw, advertiser: string) => Act | undefined;
}

function farm(draw: Draw, kind: string, name: string, shape: FarmShape): PlannedBot {
  let visit = 0;
  return {
    name,
    kind,
    isDishonest: true,
    owner: `farmer ${name}`,
    visits(from, to) {
      if (from < START + shape.startDay * DAY) return [];
      const arrivals =
        shape.phase === undefined
          ? times(draw.poisson((shape.perDay * (to - from)) / DAY), () => Math.floor(from + draw.share() * (to - from)))
          : arrivalsOf(draw, from, to, shape.perDay, shape.phase);
      return arrivals
        .sort((a, b) => a - b)
        .map((at): Visit => {
          const random = draw.fork();
          return {
            at,
            user: shape.user(visit++),
            tasks: shape.tasks,
            act: ({ advertiser }) => shape.act(random, advertiser),
          };
        });
    },
  };
}

/** Two registrations on different days, with the ids of real people between them; the names have no digits. */
function massRegistered(draw: Draw): PlannedBot {
  let id = 8_610_000_000;
  const accounts = times(200, (i): MarketUser => {
    id += i === 90 ? 20_000_000 : draw.whole(20, 900);
    return {
      ...person(draw),
      id,
      username: '',
      firstName: spoken(draw) + spoken(draw).toLowerCase(),
      isPremium: false,
      check: checkOf(draw, 0.4, 0),
    };
  });
  return farm(draw, 'mass-registered', 'mass', {
    perDay: 40,
    startDay: 0,
    tasks: 3,
    user: (visit) => accounts[visit % accounts.length] as MarketUser,
    act: (random) => act(random, random.between(2, 9), undefined),
  });
}

/** Three quarters leave between 24 hours and two days after the join. */
function leavers(draw: Draw): PlannedBot {
  return farm(draw, 'leavers', 'leavers', {
    perDay: 30,
    phase: 15,
    startDay: 1,
    tasks: 4,
    user: () => person(draw),
    act: (random) =>
      random.chance(0.8)
        ? act(random, 5 + exponential(random, 18), random.chance(0.75) ? random.between(87_000, 170_000) : undefined)
        : undefined,
  });
}

function deviceFarm(draw: Draw): PlannedBot {
  const accounts = times(90, (i) => {
    const phone = { country: 'RU', device: `rack-${i % 6}`, address: `rack-address-${i % 2}` };
    return { ...person(draw), phone, opensLinks: draw.chance(0.5), check: checkOf(draw, 0.9, 0) };
  });
  return farm(draw, 'device-farm', 'rack', {
    perDay: 35,
    startDay: 0,
    tasks: 3,
    user: () => draw.pick(accounts),
    act: (random) =>
      random.chance(0.85) ? act(random, 4 + exponential(random, 10), 86_400 * random.between(4, 20)) : undefined,
  });
}

/** Thirty people and two bots. */
function ring(draw: Draw): PlannedBot[] {
  const members = times(30, () => person(draw));
  return times(2, (i) =>
    farm(draw.fork(), 'ring', `ring-${i}`, {
      perDay: 24,
      phase: 16,
      startDay: i,
      tasks: 4,
      user: () => draw.pick(members),
      act: (random) =>
        random.chance(0.95) ? act(random, 6 + exponential(random, 12), 86_400 * random.between(3, 12)) : undefined,
    }),
  );
}

function selfDealing(draw: Draw, owners: Map<string, PlannedOwner>): PlannedBot {
  owners.set('farmer dealer', { paymentAddress: 'card 2202 2000 1234' });
  owners.set('second account', { paymentAddress: 'card 2202 2000 1234' });
  const accounts = times(80, () => person(draw, 'lb'));
  const dealing = farm(draw, 'self-dealing', 'dealer', {
    perDay: 20,
    phase: 12,
    startDay: 0,
    tasks: 3,
    user: (visit) => accounts[visit % accounts.length] as MarketUser,
    act: (random, advertiser) =>
      advertiser === 'second account' ? act(random, 10 + exponential(random, 10), undefined) : undefined,
  });
  return { ...dealing, buysFrom: 'second account' };
}

/** Works in the evening, skips a third of the tasks and keeps its subscriptions for one to two weeks. */
function careful(draw: Draw): PlannedBot {
  const accounts = times(35, () => person(draw));
  return farm(draw, 'careful', 'careful', {
    perDay: 18,
    phase: 18,
    startDay: 0,
    tasks: 3,
    user: () => draw.pick(accounts),
    act: (random) =>
      random.chance(0.68) ? act(random, 6 + exponential(random, 26), 86_400 * random.between(7, 14)) : undefined,
  });
}
