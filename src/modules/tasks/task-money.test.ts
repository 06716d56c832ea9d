import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { addSeconds } from '../../core/clock.ts';
import type { Database, Queryable } from '../../core/database.ts';
import {
  available,
  escrow,
  external,
  hold,
  openAccounts,
  platform,
  postTransfers,
  readBalances,
} from '../ledger/index.ts';
import { readProgress } from '../orders/index.ts';
import type { ConfirmOutcome } from './confirm/confirm-rules.ts';
import { findTasks } from './confirm/confirm-store.ts';
import type { MemberConfirm } from './confirm/find-slots.ts';
import { recordConfirms } from './confirm/record-confirms.ts';
import { lockUsers } from './confirm/user-limits-store.ts';
import { expireTasks } from './expire/expire-tasks.ts';
import { applySettlements, type Settlement, settleTasks } from './settle/settle-tasks.ts';
import { type Placed, placeTasks } from './show/place-tasks.ts';
import type { Placement } from './show/placement.ts';
import { readShowFacts } from './show/show-store.ts';
import { insertOrders, minutesLater, NOON, taskWith, writeTasks } from './task.fixture.ts';
import type { Task } from './task.ts';

/** These tests follow a task with the counters and the money of its order: a charge of 10 rubles and a reward of 7. */
const PUBLISHER = 2;
const BOT_ID = 3;
const PROVIDER_HOURS = 72;
const HOUR = 3600;

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  await db.query('SELECT sandbox.empty_service_tables()');
  await insertOrders(db, 2);
  const deposits = [1, 2].map((id) => ({
    kind: 'deposit' as const,
    key: `deposit:${id}`,
    from: external(1),
    to: escrow(id),
    amountKopecks: 10_000n,
  }));
  const ofOwners = [1, PUBLISHER].flatMap((id) => [available(id), hold(id), external(id)]);
  const ofOrders = [1, 2].flatMap((id) => [escrow(id), platform(id)]);
  await db.transaction(async (tx) => {
    await openAccounts(tx, [...ofOwners, ...ofOrders]);
    await postTransfers(tx, deposits, NOON);
  });
});
after(() => database.drop());

async function money(orderId = 1): Promise<Record<string, bigint>> {
  const accounts = {
    escrow: escrow(orderId),
    platform: platform(orderId),
    hold: hold(PUBLISHER),
    available: available(PUBLISHER),
  };
  const balanceOf = await readBalances(db, Object.values(accounts));
  return Object.fromEntries(Object.entries(accounts).map(([name, account]) => [name, balanceOf(account)]));
}

async function progress(orderId = 1) {
  const found = (await readProgress(db, [orderId])).get(orderId);
  assert.ok(found);
  return found;
}

async function botProgress(): Promise<unknown> {
  const [row] = await db.query('SELECT * FROM bot_progress WHERE bot_id = $1', [BOT_ID]);
  return row;
}

const placement = (userId: number, changes: Partial<Placement> & { now?: Date; max?: number } = {}): Placement => {
  const { now = NOON, max = 1, ...rest } = changes;
  return {
    request: {
      ...{ userId, botId: BOT_ID, accountId: PUBLISHER, action: 'subscribe', max },
      ...{ roundSeconds: 24 * HOUR, reservationSeconds: HOUR, now },
    },
    packedTasks: undefined,
    sent: {},
    candidateIds: [1, 2],
    barredResources: new Set(),
    memberResources: new Set(),
    outsideResources: new Set(),
    memberOf: new Map(),
    isKnownToTelegram: true,
    ...rest,
  };
};

async function readList() {
  const query = { userId: 1, botId: BOT_ID, now: NOON, cachedVersion: undefined, withRecord: false };
  return (await readShowFacts(db, [query]))[0]?.list;
}

const place = (placements: readonly Placement[], reservationsOfNewBot = 20): Promise<Placed[]> =>
  placeTasks(db, placements, { reservationsOfNewBot });

/** Returns the tasks of each placement as `order state`, and the orders that were full. */
const shown = (answers: readonly Placed[]): unknown[] =>
  answers.map((answer) =>
    answer.kind === 'outdated'
      ? answer.kind
      : [answer.tasks.map(({ orderId, state }) => `${orderId} ${state}`), answer.fullOrders],
  );

const confirmOf = (userId: number, changes: Partial<MemberConfirm> = {}): MemberConfirm => ({
  ...{ userId, botId: BOT_ID, orderId: 1, advertiserId: 1, now: minutesLater(1), readAt: NOON },
  ...{ wasMemberBefore: false, isSelfDealing: false, isDated: true, awaitsProvider: false, wasDecided: false },
  ...{
    leastHoldSeconds: 0,
    extendsWindow: false,
    orderShare: null,
    countableLeft: Number.POSITIVE_INFINITY,
    inFlight: 1,
  },
  ...changes,
});

async function rowOf(userId: number, orderId = 1): Promise<Task | undefined> {
  const [task] = await findTasks(db, [{ userId, botId: BOT_ID, orderId }]);
  return task;
}

async function nextCheckOf(userId: number): Promise<Date | null | undefined> {
  const [row] = await db.query<{ next_check_at: Date | null }>('SELECT next_check_at FROM tasks WHERE user_id = $1', [
    userId,
  ]);
  return row?.next_check_at;
}

describe('showing', () => {
  test('reserves a slot of the order and of the bot, until the order is full', async () => {
    await db.query('UPDATE orders SET quantity = 2 WHERE id = 1');
    const answers = await place([placement(1), placement(2), placement(3)]);
    assert.deepEqual(shown(answers), [
      [['1 shown'], []],
      [['1 shown'], [1]],
      [['2 shown'], [1]],
    ]);
    const { reservedCount, reservedKopecks, shownTotal } = await progress(1);
    assert.deepEqual([reservedCount, reservedKopecks, shownTotal], [2, 2000n, 2]);
    assert.deepEqual(await botProgress(), {
      ...{ bot_id: 3n, reserved_count: 3, shown_total: 3n },
      ...{ confirmed_total: 0n, reversed_total: 0n },
    });
  });

  test('beyond the limit of the bot is without a reservation', async () => {
    assert.deepEqual(shown(await place([placement(1), placement(2)], 1)), [
      [['1 shown'], []],
      [['1 unreserved'], []],
    ]);
    const { reservedCount, reservedKopecks, shownTotal } = await progress(1);
    assert.deepEqual([reservedCount, reservedKopecks, shownTotal], [1, 1000n, 2]);
  });

  test('leaves out barred, joined and paused orders, and orders whose price has changed', async () => {
    await db.query("UPDATE orders SET status = 'paused', pause_reason = 'owner' WHERE id = 2");
    const charges = new Map([[1, { orderChargeKopecks: 999n, chargeKopecks: 900n }]]);
    const answers = await place([
      placement(1, { barredResources: new Set([1]) }),
      placement(2, { memberResources: new Set([1]) }),
      placement(3, { memberOf: new Map([[-1, NOON]]) }),
      placement(4, { charges }),
      placement(5, { charges: new Map() }),
    ]);
    assert.deepEqual(
      shown(answers),
      [1, 2, 3, 4, 5].map(() => [[], []]),
    );
    const charged = await place([
      placement(6, {
        charges: new Map([[1, { orderChargeKopecks: 1000n, chargeKopecks: 900n }]]),
        outsideResources: new Set([1]),
      }),
    ]);
    const [answer] = charged;
    assert.ok(answer?.kind === 'placed');
    assert.deepEqual([answer.tasks[0]?.chargeKopecks, answer.tasks[0]?.wasOutside], [900n, true]);
  });

  test('returns outdated when the list has changed since the read', async () => {
    assert.deepEqual(
      shown(await place([placement(1), placement(1)])),
      [1, 2].map(() => [['1 shown'], []]),
    );
    assert.deepEqual(shown(await place([placement(1, { packedTasks: '[]' })])), ['outdated']);
    // The caller read no list, so the insert fails, and the second attempt finds the list.
    assert.deepEqual(shown(await place([placement(1)])), ['outdated']);
  });

  test('is retried up to five times while the list is created in parallel, and not after other errors', async () => {
    /** Fails this many times with the error, then succeeds. */
    const failing = (times: number, error: Error) => {
      let calls = 0;
      const transaction = async (): Promise<Placed[]> => {
        calls += 1;
        if (calls <= times) throw error;
        return [];
      };
      return placeTasks({ ...db, transaction } as unknown as Database, [placement(1)], { reservationsOfNewBot: 20 });
    };
    const taken = Object.assign(new Error('taken'), { code: '23505' });
    assert.deepEqual(await failing(4, taken), []);
    await assert.rejects(failing(5, taken), /taken/);
    await assert.rejects(failing(1, new Error('gone')), /gone/);
  });

  test('frees expired reservations before it makes new ones', async () => {
    await db.query('UPDATE orders SET quantity = 1 WHERE id = 1');
    await place([placement(1, { candidateIds: [1] })]);
    const list = await readList();
    const again = placement(1, { candidateIds: [], now: minutesLater(60), packedTasks: list?.packedTasks });
    assert.deepEqual(shown(await place([again])), [[['1 shown'], [1]]]);
    assert.equal((await progress(1)).reservedCount, 1);
  });

  test('hides a task whose resource our bot lost access to, and keeps its reservation until it expires', async () => {
    await place([placement(1, { candidateIds: [1] })]);
    await db.query("UPDATE orders SET status = 'paused', pause_reason = 'access_lost' WHERE id = 1");
    const list = await readList();
    const more = placement(1, { max: 2, candidateIds: [2], now: minutesLater(1), packedTasks: list?.packedTasks });
    assert.deepEqual(shown(await place([more])), [[['2 shown'], []]]);
    assert.equal(await expireTasks({ db, clock: { now: () => minutesLater(61) } }), 2);
  });
});

describe('expired tasks', () => {
  test('free their slots once, and open tasks keep theirs', async () => {
    await place([placement(1), placement(2), placement(3, { now: minutesLater(1) })]);
    const expire = (now: Date, signal?: AbortSignal) => expireTasks({ db, clock: { now: () => now } }, signal);
    assert.equal(await expire(minutesLater(59)), 0);
    assert.equal(await expire(minutesLater(60), AbortSignal.abort()), 0);
    assert.equal(await expire(minutesLater(60)), 3 - 1);
    assert.equal(await expire(minutesLater(60)), 0);
    const { reservedCount, reservedKopecks } = await progress(1);
    assert.deepEqual([reservedCount, reservedKopecks], [1, 1000n]);
    const [bot] = await db.query<{ reserved_count: number }>('SELECT reserved_count FROM bot_progress');
    assert.equal(bot?.reserved_count, 1);
  });

  test('are counted only while their order has a free slot', async () => {
    await db.query('UPDATE orders SET quantity = 2 WHERE id = 1');
    await place([1, 2].map((userId) => placement(userId, { candidateIds: [1] })));
    await expireTasks({ db, clock: { now: () => minutesLater(60) } });
    await place([placement(3, { candidateIds: [1], now: minutesLater(60) })]);
    const now = minutesLater(61);
    assert.deepEqual(
      (await recordConfirms(db, [confirmOf(1, { now }), confirmOf(2, { now })])).map(({ kind }) => kind),
      ['counted', 'order_full'],
    );
    assert.deepEqual(await money(), { escrow: 9000n, platform: 300n, hold: 700n, available: 0n });
  });

  test('of a closed order are not counted', async () => {
    await place([placement(1)]);
    await expireTasks({ db, clock: { now: () => minutesLater(60) } });
    await db.query("UPDATE orders SET status = 'cancelled', closed_at = $1 WHERE id = 1", [NOON]);
    assert.deepEqual(await recordConfirms(db, [confirmOf(1, { now: minutesLater(61) })]), [{ kind: 'order_full' }]);
    assert.equal(await rowOf(1), undefined);
  });
});

describe('a confirm', () => {
  beforeEach(() => place([placement(1), placement(2)]));

  test('pays the reward into hold and the margin to the platform, once', async () => {
    const [first, twin] = await recordConfirms(db, [confirmOf(1), confirmOf(1)]);
    assert.equal(first?.kind, 'counted');
    assert.deepEqual(first, twin);
    await recordConfirms(db, [confirmOf(1)]);
    assert.deepEqual(await money(), { escrow: 9000n, platform: 300n, hold: 700n, available: 0n });
    const { reservedCount, countedCount, unsettledCount, confirmedTotal, spentKopecks } = await progress();
    assert.deepEqual([reservedCount, countedCount, unsettledCount, confirmedTotal, spentKopecks], [1, 1, 1, 1, 1000n]);
    assert.deepEqual(await nextCheckOf(1), addSeconds(minutesLater(1), 24 * HOUR));
  });

  test('that waits for the advertiser is checked after 72 hours', async () => {
    assert.deepEqual(await recordConfirms(db, [confirmOf(1, { awaitsProvider: true })]), [
      { kind: 'pending', rewardKopecks: 700n },
    ]);
    assert.equal((await rowOf(1))?.state, 'pending');
    assert.deepEqual(await nextCheckOf(1), addSeconds(minutesLater(1), PROVIDER_HOURS * HOUR));
  });

  test('of an earlier member frees the slot and pays nothing', async () => {
    assert.deepEqual(await recordConfirms(db, [confirmOf(1, { wasMemberBefore: true })]), [{ kind: 'not_counted' }]);
    assert.equal((await rowOf(1))?.state, 'notgetted');
    assert.deepEqual(await money(), { escrow: 10_000n, platform: 0n, hold: 0n, available: 0n });
    const { reservedCount, countedCount } = await progress();
    assert.deepEqual([reservedCount, countedCount], [1, 0]);
  });

  test('that is refused returns the money of a cancelled order to its owner', async () => {
    await db.query("UPDATE orders SET status = 'cancelled', closed_at = $1 WHERE id = 1", [NOON]);
    await recordConfirms(db, [confirmOf(1, { wasMemberBefore: true })]);
    assert.equal((await money()).escrow, 1_000n, 'the escrow keeps the charge of the other task');
    await recordConfirms(db, [confirmOf(2, { wasMemberBefore: true })]);
    const owner = await readBalances(db, [available(1)]);
    assert.deepEqual([owner(available(1)), (await money()).escrow], [10_000n, 0n]);
  });

  test('of a task that was never shown returns not_shown', async () => {
    assert.deepEqual(await recordConfirms(db, [confirmOf(9)]), [{ kind: 'not_shown' }]);
  });

  /** Counts subscriptions of user 1 to other resources in another process. */
  const countElsewhere = (tx: Queryable, count: number): Promise<unknown> =>
    tx.query(
      `INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
       SELECT 1, 1000 + n, $1, 1000 + n, $2 FROM generate_series(1, $3::int) n`,
      [BOT_ID, NOON, count],
    );

  test('of a user with many confirms in flight counts what was counted since the request read the limit', async () => {
    await countElsewhere(db, 60);
    const [outcome] = await recordConfirms(db, [confirmOf(1, { countableLeft: 60, inFlight: 20 })]);
    assert.deepEqual(outcome, { kind: 'not_counted' });
    assert.equal((await money()).hold, 0n);
    const [other] = await recordConfirms(db, [confirmOf(2, { countableLeft: 60, inFlight: 20 })]);
    assert.equal(other?.kind, 'counted', 'another user');
  });

  test('of a user at the limit waits for the transaction of another process that counts the same user', async () => {
    let confirming: Promise<ConfirmOutcome[]> | undefined;
    await db.transaction(async (tx) => {
      await lockUsers(tx, [1]);
      await countElsewhere(tx, 1);
      confirming = recordConfirms(db, [confirmOf(1, { countableLeft: 1 })]);
      await eventually('the confirm waits for the lock', async () => {
        const waiting = await db.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
    });
    assert.deepEqual(await confirming, [{ kind: 'not_counted' }]);
  });
});

describe('the last place in the limit of a user', () => {
  const kindsOf = async (confirms: readonly MemberConfirm[]): Promise<string[]> =>
    (await recordConfirms(db, confirms)).map(({ kind }) => kind);
  const last = (changes: Partial<MemberConfirm> = {}): MemberConfirm[] =>
    [1, 2].map((orderId) => confirmOf(1, { countableLeft: 1, inFlight: 2, ...changes, orderId }));

  test('is used once by the tasks of one batch', async () => {
    await place([placement(1, { max: 2 })]);
    assert.deepEqual(await kindsOf(last()), ['counted', 'not_counted']);
  });

  test('is not used by an order that is full', async () => {
    await place([placement(1, { max: 2 })]);
    await expireTasks({ db, clock: { now: () => minutesLater(60) } });
    await db.query('UPDATE orders SET quantity = 1 WHERE id = 1');
    await place([placement(2, { candidateIds: [1], now: minutesLater(60) })]);
    assert.deepEqual(await kindsOf(last({ now: minutesLater(61) })), ['order_full', 'counted']);
  });

  test('is not used by an order of which the source has brought its share', async () => {
    await place([placement(1, { max: 2 })]);
    const [capped, free] = last();
    assert.ok(capped && free);
    assert.deepEqual(await kindsOf([{ ...capped, orderShare: 1 }, free]), ['order_full', 'counted']);
  });

  test('is not used by a resource for which the user was counted long ago', async () => {
    await place([placement(1, { max: 2 })]);
    await db.query(
      `INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
       SELECT 1, resource_id, 99, 99, $1 FROM orders WHERE id = 1`,
      [addSeconds(NOON, -30 * 24 * HOUR)],
    );
    assert.deepEqual(await kindsOf(last()), ['not_counted', 'counted']);
    assert.equal((await rowOf(1))?.state, 'notgetted');
  });

  test('is not the slot of an order: a user beyond the limit leaves it to the next one', async () => {
    await place([1, 2].map((userId) => placement(userId, { candidateIds: [1] })));
    await expireTasks({ db, clock: { now: () => minutesLater(60) } });
    await db.query('UPDATE orders SET quantity = 1 WHERE id = 1');
    const now = minutesLater(61);
    const confirms = [confirmOf(1, { now, countableLeft: 0 }), confirmOf(2, { now })];
    assert.deepEqual(await kindsOf(confirms), ['not_counted', 'counted']);
  });

  test('is not used twice by batches of two bots that run side by side', async () => {
    const [first, second] = [placement(1, { candidateIds: [1] }), placement(1, { candidateIds: [2] })];
    await place([first, { ...second, request: { ...second.request, botId: BOT_ID + 1 } }]);
    const confirms = last().map((confirm, i) => ({ ...confirm, botId: BOT_ID + i }));
    const outcomes = await Promise.all(confirms.map(async (confirm) => (await kindsOf([confirm]))[0]));
    assert.deepEqual(new Set(outcomes), new Set(['counted', 'not_counted']));
  });
});

describe('a settlement', () => {
  /** Shows and confirms the task of user 1, with these settings of the order. */
  async function confirmed(changes: { refund?: boolean; holdSeconds?: number; awaitsProvider?: boolean } = {}) {
    const { refund = true, holdSeconds = 24 * HOUR, awaitsProvider = false } = changes;
    await db.query('UPDATE orders SET refund = $1, hold_seconds = $2 WHERE id = 1', [refund, holdSeconds]);
    await place([placement(1)]);
    await recordConfirms(db, [confirmOf(1, { awaitsProvider })]);
  }
  const KEY = { userId: 1, botId: BOT_ID, orderId: 1 };
  const END = addSeconds(minutesLater(1), 24 * HOUR);
  const find = (changes: Partial<Settlement>, now = minutesLater(2)): Promise<void> =>
    settleTasks(db, [{ ...KEY, stayed: true, ...changes }], now);

  test('of a user who left reverses the reward, and with refund the order gets the charge and the slot back', async () => {
    await confirmed();
    await find({ stayed: false });
    await find({ stayed: false });
    assert.equal((await rowOf(1))?.state, 'reversed');
    assert.deepEqual(await money(), { escrow: 10_000n, platform: 0n, hold: 0n, available: 0n });
    const { countedCount, unsettledCount, reversedTotal, spentKopecks, declinedTotal } = await progress();
    assert.deepEqual([countedCount, unsettledCount, reversedTotal, spentKopecks, declinedTotal], [0, 0, 1, 0n, 0]);
    const [totals] = await db.query(
      'SELECT counted, reversed, returned_charge_kopecks AS returned, reversed_reward_kopecks AS taken FROM daily_totals',
    );
    assert.deepEqual(totals, { counted: 1, reversed: 1, returned: 1000n, taken: 700n });
    assert.deepEqual(await botProgress(), {
      ...{ bot_id: 3n, reserved_count: 0, shown_total: 1n },
      ...{ confirmed_total: 1n, reversed_total: 1n },
    });
  });

  test('of a user who left without refund leaves the charge with the platform', async () => {
    await confirmed({ refund: false, holdSeconds: 0 });
    assert.deepEqual(await money(), { escrow: 9000n, platform: 300n, hold: 0n, available: 700n });
    await find({ stayed: false });
    assert.deepEqual(await money(), { escrow: 9000n, platform: 1000n, hold: 0n, available: 0n });
    const { countedCount, unsettledCount, reversedTotal, spentKopecks } = await progress();
    assert.deepEqual([countedCount, unsettledCount, reversedTotal, spentKopecks], [1, 0, 1, 1000n]);
    const [totals] = await db.query('SELECT returned_charge_kopecks AS returned FROM daily_totals');
    assert.deepEqual(totals, { returned: 0n });
  });

  test('of a user who stayed settles at the end of the window, and an operator can still reverse it', async () => {
    await confirmed();
    await find({}, addSeconds(END, -1));
    assert.equal((await rowOf(1))?.state, 'held');
    await find({}, END);
    assert.equal((await rowOf(1))?.state, 'settled');
    assert.deepEqual(await money(), { escrow: 9000n, platform: 300n, hold: 0n, available: 700n });
    assert.equal((await progress()).unsettledCount, 0);
    await find({ stayed: false }, END);
    assert.equal((await rowOf(1))?.state, 'settled', 'settled is for good');
    await find({ stayed: false, byOperator: true }, END);
    assert.equal((await rowOf(1))?.state, 'reversed');
    assert.deepEqual(await money(), { escrow: 10_000n, platform: 0n, hold: 0n, available: 0n });
    assert.equal((await progress()).unsettledCount, 0);
  });

  test('of a join without a date returns the charge at the end of the window, with or without refund', async () => {
    await confirmed({ refund: false });
    await find({ isDated: false }, addSeconds(END, -1));
    assert.equal((await rowOf(1))?.state, 'held');
    await find({ isDated: false }, END);
    assert.equal((await rowOf(1))?.state, 'notgetted');
    assert.deepEqual(await money(), { escrow: 10_000n, platform: 0n, hold: 0n, available: 0n });
  });

  test('of a user who has not passed the check ends with the hold of a watched source, not with its window', async () => {
    await db.query('UPDATE orders SET hold_seconds = $1 WHERE id = 1', [24 * HOUR]);
    await place([placement(1), placement(2)]);
    const watched = { isDated: false, leastHoldSeconds: 72 * HOUR };
    await recordConfirms(db, [confirmOf(1, watched), confirmOf(2, watched)]);
    const [waits, passes] = [KEY, { ...KEY, userId: 2 }];
    const holdEnds = addSeconds(END, 48 * HOUR);
    const settle = (now: Date, ...settlements: Settlement[]): Promise<void> => settleTasks(db, settlements, now);
    const waiting = { stayed: true, awaitsCheck: true };
    await settle(addSeconds(END, -1), { ...waits, ...waiting });
    assert.deepEqual(await nextCheckOf(1), END, 'the membership is still checked at the end of the window');
    await settle(END, { ...waits, ...waiting }, { ...passes, ...waiting });
    assert.equal((await rowOf(1))?.state, 'held');
    assert.deepEqual(await nextCheckOf(1), holdEnds);
    await settle(holdEnds, { ...waits, ...waiting }, { ...passes, stayed: true });
    assert.deepEqual([(await rowOf(1))?.state, (await rowOf(2))?.state], ['notgetted', 'settled']);
    assert.deepEqual(await money(), { escrow: 9000n, platform: 300n, hold: 0n, available: 700n });
  });

  test('of a protected reward settles even when the user left', async () => {
    await confirmed();
    await db.query('UPDATE tasks SET kept_at = $1', [NOON]);
    await find({ stayed: false }, END);
    assert.equal((await rowOf(1))?.state, 'settled');
  });

  test('of a protected reward can still be reversed by an operator', async () => {
    await confirmed();
    await db.query('UPDATE tasks SET kept_at = $1', [NOON]);
    await find({ stayed: false, byOperator: true }, END);
    assert.equal((await rowOf(1))?.state, 'reversed');
    assert.deepEqual(await money(), { escrow: 10_000n, platform: 0n, hold: 0n, available: 0n });
  });

  test('approved by the advertiser starts the window, and a later rejection changes nothing', async () => {
    await confirmed({ awaitsProvider: true });
    await find({ onlyPending: true });
    assert.equal((await rowOf(1))?.state, 'held');
    assert.deepEqual(await money(), { escrow: 9000n, platform: 300n, hold: 700n, available: 0n });
    assert.equal((await progress()).approvedTotal, 1);
    await find({ onlyPending: true, stayed: false });
    assert.equal((await rowOf(1))?.state, 'held', 'the advertiser has answered');
  });

  test('approved by the advertiser pays at once when there is no hold', async () => {
    await confirmed({ awaitsProvider: true, holdSeconds: 0 });
    await find({ onlyPending: true });
    assert.equal((await rowOf(1))?.state, 'paid');
    assert.deepEqual(await money(), { escrow: 9000n, platform: 300n, hold: 0n, available: 700n });
  });

  test('rejected by the advertiser lets the user subscribe again', async () => {
    await confirmed({ awaitsProvider: true });
    await find({ onlyPending: true, stayed: false });
    assert.equal((await rowOf(1))?.state, 'rejected');
    assert.deepEqual(await money(), { escrow: 10_000n, platform: 0n, hold: 0n, available: 0n });
    assert.equal((await progress()).declinedTotal, 1);
    assert.deepEqual(await db.query('SELECT 1 FROM counted_subscriptions'), []);
  });

  test('returns the tasks that it changed, in their earlier state', async () => {
    await confirmed();
    await writeTasks(db, [{ ...taskWith(), userId: 2, orderId: 2, state: 'settled', confirmedAt: NOON }]);
    const findings = [KEY, { userId: 2, botId: BOT_ID, orderId: 2 }].map((key) => ({ ...key, stayed: false }));
    const changed = await db.transaction((tx) => applySettlements(tx, findings, minutesLater(2)));
    assert.deepEqual(
      changed.map(({ userId, state }) => [userId, state]),
      [[1, 'held']],
    );
  });
});
