import { readFunds } from '../../src/modules/accounts/index.ts';
import type { Bot } from '../../src/modules/bots/index.ts';
import { createDraw, type Draw } from './draw.ts';
import type { Act, MarketPlan, Visit } from './market.ts';
import { openLink, passCheck } from './show-device.ts';
import { CHECK_LINK, type MarketOrder, type World } from './world.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/**
 * Visits that are played at the same time. Their calls share transactions, as in a busy service. More of them would ask for
 * the same best orders at once, before the order book knows that these are full.
 */
const AT_ONCE = 64;
/** How often a bot without tasks asks again. */
const ASKED_AGAIN = 2;

/** What the simulation knows and the tables do not. */
export interface Chronicle {
  /** Tasks of users who left by themselves after the order's own window: `user:bot:order`. */
  readonly leftAfterWindow: Set<string>;
  readonly removed: Set<string>;
  /** Payout requests that passed: nobody had to decide anything about the source first. */
  readonly payouts: Payout[];
  /** When a bot was first watched or low, or had a case about it. */
  readonly caughtAt: Map<number, number>;
  readonly firstCountedAt: Map<number, number>;
  /** Honest or not, the levels that a bot ever had. */
  readonly levels: Map<number, Set<string>>;
  visits: number;
}

interface Payout {
  readonly accountId: number;
  readonly at: number;
  readonly kopecks: bigint;
  /** Waits for an operator because of a case about a source of this account. */
  readonly isHeld: boolean;
}

interface Departure {
  readonly at: number;
  readonly userId: number;
  readonly botId: number;
  readonly order: MarketOrder;
  readonly isRemoval: boolean;
  readonly confirmedAt: number;
}

export interface RunOptions {
  readonly start: number;
  /** Visits that are played at the same time. With 1 the same seed gives the same result. */
  readonly atOnce?: number;
  readonly onDay?: (day: number, chronicle: Chronicle) => void;
}

/** Plays the whole plan. */
export async function runMarket(
  world: World,
  plan: MarketPlan,
  { start, atOnce = AT_ONCE, onDay }: RunOptions,
): Promise<Chronicle> {
  const inParallel = <T>(items: readonly T[], work: (item: T) => Promise<void>) => workOff(items, atOnce, work);
  const chronicle: Chronicle = {
    leftAfterWindow: new Set(),
    removed: new Set(),
    payouts: [],
    caughtAt: new Map(),
    firstCountedAt: new Map(),
    levels: new Map(),
    visits: 0,
  };
  const draw = createDraw(plan.seed + 1);
  const seenUsers = new Set<number>();
  let departures: Departure[] = [];
  const step = plan.stepHours * HOUR;
  const lastVisits = start + plan.days * 24 * HOUR;
  const end = lastVisits + plan.daysAfter * 24 * HOUR;

  for (let from = start; from < end; from += step) {
    const to = from + step;
    world.setTime(from);
    if (from < lastVisits) {
      const visits = world.bots.flatMap((bot) =>
        bot.plan.visits(from, to).map((visit) => ({ bot, visit, random: draw.fork() })),
      );
      visits.sort((a, b) => a.visit.at - b.visit.at);
      chronicle.visits += visits.length;
      for (let i = 0; i < visits.length; i += AT_ONCE) {
        const chunk = visits.slice(i, i + AT_ONCE);
        world.setTime(chunk[0]?.visit.at ?? from);
        await world.flow.expireTasks();
        await world.book.reloadAll();
        // The visits of one user happen one after the other.
        await inParallel([...Map.groupBy(chunk, ({ visit }) => visit.user.id).values()], async (ofUser) => {
          for (const { bot, visit, random } of ofUser) {
            if (!seenUsers.has(visit.user.id)) {
              seenUsers.add(visit.user.id);
              if (visit.user.opensLinks) await openLink(world, visit.user, visit.at);
              if (visit.user.check === 'volunteers') await passCheck(world, visit.user, visit.at);
            }
            departures.push(...(await playVisit(world, chronicle, { bot: bot.bot, visit, draw: random })));
          }
        });
      }
    }
    const due = departures.filter(({ at }) => at < to).sort((a, b) => a.at - b.at);
    departures = departures.filter(({ at }) => at >= to);
    await inParallel(due, (departure) => depart(world, chronicle, departure));

    world.setTime(to);
    await world.runJobs();
    await noteLevels(world, chronicle, to);
    await askForPayouts(world, chronicle, to);
    const elapsed = (to - start) / HOUR;
    // The tables grow from nothing within minutes, faster than autovacuum notices.
    if (elapsed % 24 === 0) await world.db.query('ANALYZE');
    if (elapsed % 24 === 0) onDay?.(elapsed / 24, chronicle);
  }
  await world.flow.drain();
  return chronicle;
}

async function workOff<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/**
 * One user opens a bot, does some of the tasks one after the other and lets the bot confirm them at once. Returns when the
 * user will leave.
 */
async function playVisit(
  world: World,
  chronicle: Chronicle,
  { bot, visit, draw }: { readonly bot: Bot; readonly visit: Visit; readonly draw: Draw },
): Promise<Departure[]> {
  const { flow, telegram } = world;
  const { id: userId, firstName, username, language: languageCode, isPremium } = visit.user;
  const profile = { userId, firstName, username, languageCode, isPremium };
  const ask = () => flow.getSponsors({ bot, ...profile, action: 'subscribe', max: visit.tasks });
  let { tasks } = await world.at(visit.at, ask);
  // A bot asks with every message. Orders that filled up in the same moment are left out the next time.
  for (let again = 0; tasks.length === 0 && again < ASKED_AGAIN; again++) ({ tasks } = await world.at(visit.at, ask));
  // A user who ignores the check is led to it again with the next visit.
  if (visit.user.check === 'passes' && tasks.some(({ link }) => link === CHECK_LINK))
    await passCheck(world, visit.user, visit.at);
  const joined: { readonly order: MarketOrder; readonly joinedAt: number; readonly act: Act }[] = [];
  let clock = visit.at;
  for (const { order: shownOrder } of tasks) {
    const order = world.orders.get(shownOrder.id);
    // Someone who was a member before is no new subscriber, in an honest bot neither.
    if (order === undefined || telegram.wasMember(order.chatId, userId)) continue;
    const act = visit.act({ advertiser: order.advertiser.name });
    if (act === undefined) continue;
    const joinedAt = clock + act.joinSeconds * SECOND;
    clock = joinedAt + act.confirmSeconds * SECOND;
    telegram.join(order.chatId, userId);
    joined.push({ order, joinedAt, act });
  }
  if (joined.length === 0) return [];
  await Promise.all(
    joined.map(({ order: { chatId }, joinedAt }) => {
      const update = { userId, chatId, wasMember: false, isMember: true, isRemoval: false, at: new Date(joinedAt) };
      return world.at(joinedAt, () => flow.recordMembership(update));
    }),
  );
  const confirmedAt = clock;
  const orderIds = joined.map(({ order }) => order.id);
  const outcomes = await world.at(confirmedAt, () => flow.confirm({ bot, userId, orderIds }));
  const departures: Departure[] = [];
  for (const [i, { order, joinedAt, act }] of joined.entries()) {
    const outcome = outcomes[i];
    if (outcome?.kind === 'counted') {
      const first = chronicle.firstCountedAt.get(bot.id) ?? Number.POSITIVE_INFINITY;
      chronicle.firstCountedAt.set(bot.id, Math.min(first, confirmedAt));
    }
    const { removes } = order.advertiser;
    const departure = { userId, botId: bot.id, order, confirmedAt };
    if (removes !== undefined && outcome?.kind === 'counted' && draw.chance(removes.share)) {
      const at = joinedAt + draw.between(...removes.afterHours) * HOUR;
      departures.push({ ...departure, at, isRemoval: true });
    } else if (act.leaveSeconds !== undefined) {
      departures.push({ ...departure, at: joinedAt + act.leaveSeconds * SECOND, isRemoval: false });
    }
  }
  return departures;
}

async function depart(world: World, chronicle: Chronicle, departure: Departure): Promise<void> {
  const { userId, botId, order, isRemoval, confirmedAt } = departure;
  const at = Math.max(departure.at, confirmedAt + 6 * SECOND);
  world.telegram.leave(order.chatId, userId);
  const key = `${userId}:${botId}:${order.id}`;
  if (isRemoval) chronicle.removed.add(key);
  else if (at > confirmedAt + 24 * HOUR) chronicle.leftAfterWindow.add(key);
  const update = { userId, chatId: order.chatId, wasMember: true, isMember: false, isRemoval, at: new Date(at) };
  await world.at(at, () => world.flow.recordMembership(update));
}

async function noteLevels(world: World, chronicle: Chronicle, now: number): Promise<void> {
  const rows = await world.db.query<{ bot_id: bigint; level: string }>('SELECT bot_id, level FROM bot_quality');
  for (const { bot_id: id, level } of rows) {
    const botId = Number(id);
    const levels = chronicle.levels.get(botId) ?? new Set<string>();
    chronicle.levels.set(botId, levels.add(level));
    if (level === 'watched' || level === 'low') caught(chronicle, botId, now);
  }
  const cases = await world.db.query<{ subject_id: bigint }>(
    "SELECT DISTINCT subject_id FROM cases WHERE subject_type = 'bot' AND decided_at IS NULL",
  );
  for (const { subject_id: botId } of cases) caught(chronicle, Number(botId), now);
}

function caught({ caughtAt }: Chronicle, botId: number, now: number): void {
  if (!caughtAt.has(botId)) caughtAt.set(botId, now);
}

/** Every publisher asks for all withdrawable money at once. */
async function askForPayouts(world: World, { payouts }: Chronicle, now: number): Promise<void> {
  const owners = [...new Set(world.bots.map(({ bot }) => bot.accountId))];
  const rich = await world.db.query<{ owner_id: bigint }>(
    `SELECT owner_id FROM ledger_accounts
     WHERE kind = 'available' AND owner_id = ANY($1::bigint[]) AND balance_kopecks >= $2`,
    [owners, world.config.payoutMinimumKopecks],
  );
  for (const { owner_id: owner } of rich) {
    const accountId = Number(owner);
    const { withdrawableKopecks: kopecks } = await readFunds(world.db, accountId);
    if (kopecks < world.config.payoutMinimumKopecks) continue;
    const outcome = await world.requestPayout(accountId, kopecks);
    payouts.push({ accountId, at: now, kopecks, isHeld: outcome !== 'done' });
  }
}
