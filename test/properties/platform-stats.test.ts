import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { closePlatformDays } from '../../src/modules/statistics/index.ts';
import { describePlatform } from '../../src/modules/statistics/platform-stats.ts';
import { createMovableClock, type MovableClock } from '../../src/sandbox/index.ts';
import { query } from '../support/books.ts';
import { bindPayouts, type Payouts } from '../support/money-use-cases.ts';
import { auditedFigures, keepFoldedTransfers, midnight, platformStats } from '../support/platform-ledger.ts';
import { propertyRuns, propertySeed } from '../support/property-runs.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** To replay a run: `SPONSORGATE_PROPERTY_SEED=… SPONSORGATE_PROPERTY_RUNS=… npm test -- test/properties`. */
const seed = propertySeed;
const numRuns = propertyRuns(6);

let service: TestService;
let clock: MovableClock;
let payouts: Payouts;
let bots: readonly Publisher[];
before(async () => {
  // Without a worker, due jobs run only when the clock is moved.
  service = await startTestService({ TELEGRAM_CHECKS_PER_SECOND: '1000', ROLES: 'api,bot' });
  const { sandbox, database } = service;
  await keepFoldedTransfers(database.url);
  await sandbox.pauseAllOrders();
  clock = await createMovableClock(database.db);
  payouts = bindPayouts({ db: database.db, clock, minimumKopecks: 1n, cryptoPay: undefined });
  bots = [await sandbox.publisher({ beta: true, deposit: 10_000 }), await sandbox.publisher({ deposit: 10_000 })];
});
after(async () => {
  await clock?.close();
  await service?.stop();
});

/** All runs share these users, so that users return after days, weeks and years. */
const users = Array.from({ length: 4 }, () => freshUser());

type Step =
  | { readonly do: 'subscribe'; readonly user: number; readonly bot: number; readonly order: number }
  | { readonly do: 'leave'; readonly which: number; readonly silent: boolean }
  | { readonly do: 'advance'; readonly hours: number }
  | { readonly do: 'pay'; readonly bot: number; readonly kopecks: number }
  | { readonly do: 'close' | 'compare' };

const DAY = 24;
const [anyUser, anyBot, anyOrder] = [fc.nat(users.length - 1), fc.nat(1), fc.nat(2)];
const someHours = fc.constantFrom(1, 5, 11, DAY + 1, 3 * DAY, 6 * DAY);
const manyHours = fc.constantFrom(8 * DAY, 23 * DAY, 31 * DAY, 3 * 365 * DAY);
const aStep = <T extends Step['do'], Rest>(
  weight: number,
  what: T,
  rest: { [K in keyof Rest]: fc.Arbitrary<Rest[K]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(what), ...rest }) as unknown as fc.Arbitrary<Step>,
});
const anySteps = fc.array(
  fc.oneof(
    aStep(7, 'subscribe', { user: anyUser, bot: anyBot, order: anyOrder }),
    aStep(3, 'leave', { which: fc.nat(), silent: fc.boolean() }),
    aStep(4, 'advance', { hours: someHours }),
    aStep(1, 'advance', { hours: manyHours }),
    aStep(1, 'pay', { bot: anyBot, kopecks: fc.integer({ min: 1, max: 9999 }) }),
    aStep(2, 'close', {}),
    aStep(1, 'compare', {}),
  ),
  { minLength: 8, maxLength: 20 },
);
const anyTerms = fc.record({
  price_per_sub: fc.integer({ min: 2, max: 2000 }).map((kopecks) => kopecks / 100),
  refund: fc.boolean(),
  hold_hours: fc.constantFrom(0, 24, 48),
});

/** Counts the cases that the property is about. Without them the test would prove nothing. */
const met = { subscribed: 0, reversed: 0, paid: 0, closedDays: 0, threeDifferentPeriods: 0 };
let payoutNumber = 0;

/** One run: its three orders and the subscriptions to them. */
class Run {
  readonly #orders: readonly Advertised[];
  readonly #done: { readonly chatId: number; readonly user: number }[] = [];

  constructor(orders: readonly Advertised[]) {
    this.#orders = orders;
  }

  async take(step: Step): Promise<void> {
    const { sandbox, database } = service;
    switch (step.do) {
      case 'subscribe':
        return this.#subscribe(step);
      case 'leave': {
        const found = this.#done[step.which % this.#done.length];
        return found && sandbox.leave(found.chatId, found.user, step.silent);
      }
      case 'advance':
        return sandbox.advance(step.hours * 60 * 60);
      case 'pay':
        return pay(bots[step.bot]?.accountId ?? 0, BigInt(step.kopecks));
      case 'close':
        await closePlatformDays({ db: database.db, clock });
        return;
      case 'compare':
        return compare();
    }
  }

  async #subscribe(step: Extract<Step, { do: 'subscribe' }>): Promise<void> {
    const { sandbox } = service;
    const [order, bot, user] = [this.#orders[step.order], bots[step.bot], users[step.user]];
    assert.ok(order && bot && user);
    const shown = await sandbox.getSponsors(bot.token, user, { action: 'newtask', max_sponsors: 50 });
    if (!shown.some((task) => task.ads_id === order.orderId)) return;
    await sandbox.join(order.chatId, user);
    if (!((await sandbox.confirm(bot.token, user, order.orderId)).credited > 0)) return;
    this.#done.push({ chatId: order.chatId, user });
    met.subscribed += 1;
  }
}

async function pay(accountId: number, amountKopecks: bigint): Promise<void> {
  const key = `payout ${++payoutNumber}`;
  const outcome = await payouts.request({ accountId, key, amountKopecks, method: 'manual', destination: 'a card' });
  assert.ok(outcome.kind === 'requested');
  const { id: payoutId } = outcome.payout;
  await payouts.approve({ payoutId, operatorId: null });
  assert.deepEqual(await payouts.markSent({ payoutId, reference: 'paid' }), { kind: 'done' });
  met.paid += 1;
}

/**
 * Compares three results for one moment: the figures before the request, the response of the request, which closes past
 * days, and the audit of the ledger. Repeats the comparison when midnight passes in between.
 */
async function compare(): Promise<void> {
  const now = clock.now();
  const before = await describePlatform(service.database.db, now);
  const answered = await platformStats(service.sandbox, bots[0]?.token ?? '');
  const audit = await auditedFigures(service.database.url, now, 'audit.transfers');
  if (midnight(now) !== midnight(clock.now())) return compare();
  assert.deepEqual(before, audit);
  assert.deepEqual(answered, audit);
  const counts = [audit.last_7_days, audit.last_30_days, audit.all_time].map((period) => period.subscriptions);
  if (new Set(counts).size === 3) met.threeDifferentPeriods += 1;
  met.reversed = audit.all_time.reversals;
}

test('every figure of every period equals the ledger to the kopeck after any sequence of actions', async (t) => {
  t.diagnostic(`seed ${seed}, ${numRuns} runs`);
  const property = fc.asyncProperty(fc.tuple(anyTerms, anyTerms, anyTerms), anySteps, async (terms, steps) => {
    const { sandbox } = service;
    await sandbox.pauseAllOrders();
    const orders: Advertised[] = [];
    for (const each of terms) orders.push(await sandbox.advertise({ ...each, quantity: users.length }));
    const run = new Run(orders);
    for (const step of steps) await run.take(step);
    await compare();
  });
  await fc.assert(property, { seed, numRuns });
  const [closed] = await query<{ days: number }>(
    service.database.url,
    'SELECT count(*)::int AS days FROM platform_days',
  );
  met.closedDays = closed?.days ?? 0;
  t.diagnostic(JSON.stringify(met));
  // The runs contained the cases that the property is about.
  assert.ok(met.subscribed > 10 && met.reversed > 3 && met.paid > 3 && met.closedDays > 40, JSON.stringify(met));
  assert.ok(met.threeDifferentPeriods > 0, JSON.stringify(met));
});
