import type { Chronicle } from './run-market.ts';
import type { MarketBot, World } from './world.ts';

/** Money of one kind of bots, in kopecks. */
export interface KindFigures {
  readonly kind: string;
  /** `mixed`: what the honest users of a dishonest bot earned. It counts neither as fraud nor as honest money. */
  readonly side: 'honest' | 'dishonest' | 'mixed';
  bots: number;
  /** Bots that were below the threshold at least once. */
  belowOnce: number;
  /** Bots that were low at least once. */
  lowOnce: number;
  /** All rewards that a confirm promised or that a limit refused. */
  rewards: number;
  subscriptions: number;
  /** Refused at the confirm. */
  refused: number;
  reversed: number;
  /** Still in a hold that a level made longer. */
  inHold: number;
  /** Settled, but the payout waits for a case about this source. */
  atCase: number;
  /** Paid out, or free to be asked for. */
  paid: number;
  /** Held longer than the order asks, or kept back by a case. */
  delayed: number;
  /** Reversed although the user stayed for the order's window, or refused although the user is an honest new member. */
  wronged: number;
  /** Days from the first counted subscription to the first level below the threshold or case, one per caught bot. */
  readonly daysToCatch: number[];
  uncaught: number;
  /** Users who were led to the human check, and those of them who passed it. */
  asked: number;
  passed: number;
}

export interface Figures {
  readonly kinds: readonly KindFigures[];
  /** Shares of money, 0 to 1. */
  readonly stopped: number;
  readonly stoppedCareful: number;
  readonly honestDelayed: number;
  readonly honestWronged: number;
  /** Refused to honest bots for users who also work for a farm. They are no honest members, so this is no error. */
  readonly farmUsersRefused: number;
  /** Honest bots that were watched or low at least once, and those that were low. */
  readonly honestBelow: number;
  readonly honestLow: number;
  /** Rewards of users whom a cheating advertiser removed: kept and taken back. */
  readonly removedKept: number;
  readonly removedLost: number;
  readonly pausedRemovers: number;
}

interface TaskRow {
  user_id: bigint;
  bot_id: bigint;
  order_id: bigint;
  account_id: bigint;
  state: string;
  reward: bigint;
  settled_ms: number | null;
  extra_hold: boolean;
}

const DAY_MS = 86_400_000;

export async function measure(world: World, chronicle: Chronicle): Promise<Figures> {
  const botOf = new Map(world.bots.map((one) => [one.bot.id, one]));
  const kinds = new Map<string, KindFigures>();
  for (const { bot, plan } of world.bots) {
    const figures = ofBot(kinds, { bot, plan });
    const levels = chronicle.levels.get(bot.id) ?? new Set();
    figures.bots += 1;
    if (levels.has('watched') || levels.has('low')) figures.belowOnce += 1;
    if (levels.has('low')) figures.lowOnce += 1;
    const [caughtAt, firstAt] = [chronicle.caughtAt.get(bot.id), chronicle.firstCountedAt.get(bot.id)];
    if (caughtAt === undefined || firstAt === undefined) figures.uncaught += 1;
    else figures.daysToCatch.push(Math.max(0, caughtAt - firstAt) / DAY_MS);
  }

  const asked = await world.db.query<{ bot_id: bigint; has_passed: boolean }>(
    `SELECT DISTINCT t.bot_id, t.user_id, h.user_id IS NOT NULL AS has_passed
     FROM human_check_requests r JOIN tasks t USING (user_id) LEFT JOIN human_checks h USING (user_id)`,
  );
  for (const { bot_id: id, has_passed: hasPassed } of asked) {
    const bot = botOf.get(Number(id));
    if (bot === undefined) continue;
    const figures = ofBot(kinds, bot);
    figures.asked += 1;
    if (hasPassed) figures.passed += 1;
  }

  const payouts = payoutsByAccount(chronicle);
  const blocked = new Set(
    (await world.db.query<{ account_id: bigint }>('SELECT account_id FROM cases WHERE decided_at IS NULL')).map((row) =>
      Number(row.account_id),
    ),
  );
  let [removedKept, removedLost, farmUsersRefused] = [0, 0, 0];
  const tasks = await readTasks(world);
  const isOfFarm = ({ bot_id: botId }: TaskRow): boolean => {
    const plan = botOf.get(Number(botId))?.plan;
    // Honest people use the bot of a self-dealer too.
    return plan?.isDishonest === true && plan.buysFrom === undefined;
  };
  const farmUsers = new Set(tasks.filter(isOfFarm).map((task) => task.user_id));
  for (const task of tasks) {
    const bot = botOf.get(Number(task.bot_id));
    if (bot === undefined) continue;
    const key = `${task.user_id}:${task.bot_id}:${task.order_id}`;
    const reward = Number(task.reward);
    if (chronicle.removed.has(key)) {
      if (task.state === 'reversed') removedLost += reward;
      else removedKept += reward;
    }
    const isFraud = isFraudulent(bot, world.orders.get(Number(task.order_id))?.advertiser.name);
    const figures =
      isFraud || !bot.plan.isDishonest ? ofBot(kinds, bot) : kindOf(kinds, `others in ${bot.plan.kind}`, 'mixed');
    figures.rewards += reward;
    figures.subscriptions += 1;
    const passed = passedPayout(payouts.get(Number(task.account_id)), task.settled_ms);
    const waitsForCase = passed === 'held' || (passed === 'none' && blocked.has(Number(task.account_id)));
    if (task.state === 'notgetted') figures.refused += reward;
    else if (task.state === 'reversed') figures.reversed += reward;
    else if (task.state !== 'settled') figures.inHold += reward;
    else if (waitsForCase) figures.atCase += reward;
    else figures.paid += reward;
    if (task.extra_hold || (task.state === 'settled' && waitsForCase)) figures.delayed += reward;
    const isRefusedFarmUser = task.state === 'notgetted' && farmUsers.has(task.user_id);
    if (isRefusedFarmUser && !bot.plan.isDishonest) farmUsersRefused += reward;
    const wasRefused = task.state === 'notgetted' && !isRefusedFarmUser;
    if (wasRefused || (task.state === 'reversed' && chronicle.leftAfterWindow.has(key))) figures.wronged += reward;
  }

  const all = [...kinds.values()];
  const honest = all.filter(({ side }) => side === 'honest');
  const dishonest = all.filter(({ side }) => side === 'dishonest');
  const careful = dishonest.filter(({ kind }) => kind === 'careful');
  const paused = await world.db.query<{ account_id: bigint }>(
    "SELECT DISTINCT account_id FROM orders WHERE status = 'paused' AND pause_reason = 'removals'",
  );
  return {
    kinds: all,
    stopped: 1 - sum(dishonest, 'paid') / sum(dishonest, 'rewards'),
    stoppedCareful: 1 - sum(careful, 'paid') / sum(careful, 'rewards'),
    honestDelayed: sum(honest, 'delayed') / sum(honest, 'rewards'),
    honestWronged: sum(honest, 'wronged'),
    farmUsersRefused,
    honestBelow: sum(honest, 'belowOnce'),
    honestLow: sum(honest, 'lowOnce'),
    removedKept,
    removedLost,
    pausedRemovers: paused.length,
  };
}

type Sum = 'paid' | 'rewards' | 'delayed' | 'wronged' | 'belowOnce' | 'lowOnce';
const sum = (kinds: readonly KindFigures[], key: Sum): number => kinds.reduce((total, one) => total + one[key], 0);

/** Of a self-dealer, only the rewards of his own orders are fraud. */
function isFraudulent({ plan }: MarketBot, advertiser: string | undefined): boolean {
  return plan.isDishonest && (plan.buysFrom === undefined || plan.buysFrom === advertiser);
}

const ofBot = (kinds: Map<string, KindFigures>, { plan }: MarketBot): KindFigures =>
  kindOf(kinds, plan.kind, plan.isDishonest ? 'dishonest' : 'honest');

function kindOf(kinds: Map<string, KindFigures>, kind: string, side: KindFigures['side']): KindFigures {
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  const figures: KindFigures = {
    kind,
    side,
    bots: 0,
    belowOnce: 0,
    lowOnce: 0,
    rewards: 0,
    subscriptions: 0,
    refused: 0,
    reversed: 0,
    inHold: 0,
    atCase: 0,
    paid: 0,
    delayed: 0,
    wronged: 0,
    daysToCatch: [],
    uncaught: 0,
    asked: 0,
    passed: 0,
  };
  kinds.set(kind, figures);
  return figures;
}

function readTasks(world: World): Promise<TaskRow[]> {
  return world.db.query<TaskRow>(
    `SELECT t.user_id, t.bot_id, t.order_id, t.account_id, t.state, t.reward_kopecks AS reward,
            extract(epoch FROM t.settled_at)::float8 * 1000 AS settled_ms,
            coalesce(t.release_at > t.confirmed_at + make_interval(secs => o.hold_seconds + 1), false) AS extra_hold
     FROM tasks t JOIN orders o ON o.id = t.order_id
     WHERE t.state IN ('held', 'paid', 'settled', 'reversed', 'notgetted')`,
  );
}

function payoutsByAccount({ payouts }: Chronicle): Map<number, Chronicle['payouts']> {
  const found = new Map<number, Chronicle['payouts']>();
  for (const payout of payouts) found.set(payout.accountId, [...(found.get(payout.accountId) ?? []), payout]);
  return found;
}

/** The first payout after a reward was settled contains it, because publishers ask for everything. */
function passedPayout(payouts: Chronicle['payouts'] | undefined, settledMs: number | null): 'passed' | 'held' | 'none' {
  if (settledMs === null) return 'none';
  const first = payouts?.find(({ at }) => at >= settledMs);
  if (first === undefined) return 'none';
  return first.isHeld ? 'held' : 'passed';
}
