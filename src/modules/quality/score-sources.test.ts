import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addDays, addSeconds } from '../../core/clock.ts';
import { forgetSignals } from './forget-signals.ts';
import type { QualitySettings } from './quality.ts';
import { createQualityBook } from './quality-book.ts';
import { scoreSources } from './score-sources.ts';
import { findUserSignals } from './signal-store.ts';
import { findStaysToCheck, recordStays } from './stay-store.ts';
import { findQuality } from './store.ts';

const NOW = new Date('2026-05-20T12:00:00Z');
const HOUR = 3600;
const DAY = 24 * HOUR;
const SETTINGS: QualitySettings = {
  isOn: true,
  watchedBelow: 60,
  lowBelow: 40,
  minSubscriptions: 30,
  newHoldSeconds: 0,
  watchedHoldSeconds: 72 * HOUR,
  lowHoldSeconds: 168 * HOUR,
  lowOrderSharePercent: 10,
  samplePercent: 20,
};

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const CHANNELS = 40;

beforeEach(async () => {
  const { db } = database;
  await db.query(
    'TRUNCATE accounts, resources, tasks, memberships, device_marks, user_signals, bot_progress, daily_totals, daily_shown, audience_users, human_checks, stay_checks, confirm_refusals, counted_users, notices CASCADE',
  );
  await db.query(
    `INSERT INTO accounts (id, telegram_user_id, name, created_at) OVERRIDING SYSTEM VALUE
     SELECT n, 1000 + n, 'account', $1 FROM generate_series(1, 99) n`,
    [NOW],
  );
  await db.query(
    `INSERT INTO resources (id, type, chat_id, created_at) OVERRIDING SYSTEM VALUE
     SELECT n, 'channel', -n, $1 FROM generate_series(1, ${CHANNELS}) n`,
    [NOW],
  );
  await db.query(
    `INSERT INTO orders (id, account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks,
                         reward_kopecks, quantity, hold_seconds, refund, created_at) OVERRIDING SYSTEM VALUE
     SELECT n, 50 + n % 20, n, 'order', 'title', 'https://t.me/x', 'active', 1000, 1000, 700, 10000, 86400, true, $1
     FROM generate_series(1, ${CHANNELS}) n`,
    [NOW],
  );
});

interface Subscription {
  readonly userId: number;
  readonly orderId: number;
  /** Seconds before now. */
  readonly ago: number;
  readonly joinedAfter?: number;
  /** Seconds after the confirm. */
  readonly leftAfter?: number;
  /** Whether an administrator ended the membership. */
  readonly wasRemoved?: boolean;
  readonly state?: string;
}

/** Stores the subscriptions of a bot with all rows that a confirm writes. The bot belongs to the account of its number. */
async function addBot(botId: number, subscriptions: readonly Subscription[], accountId = botId): Promise<void> {
  const { db } = database;
  await db.query(
    `INSERT INTO bots (id, account_id, username, created_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4)`,
    [botId, accountId, `bot_${botId}`, NOW],
  );
  await db.query('INSERT INTO bot_progress (bot_id, confirmed_total) VALUES ($1, $2)', [botId, subscriptions.length]);
  const confirmedAt = ({ ago }: Subscription): Date => addSeconds(NOW, -ago);
  await db.query(
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                        reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, window_ends_at, settled_at)
     SELECT user_id, $1, order_id, $2, order_id, 1, 1, state, 1000, 700, 86400, true,
            confirmed_at - make_interval(secs => joined_after + 5), confirmed_at, confirmed_at,
            confirmed_at + interval '1 day', CASE state WHEN 'settled' THEN confirmed_at + interval '1 day' END
     FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::timestamptz[], $7::int[])
       AS t (user_id, order_id, state, confirmed_at, joined_after)`,
    [
      botId,
      accountId,
      subscriptions.map(({ userId }) => userId),
      subscriptions.map(({ orderId }) => orderId),
      subscriptions.map(({ state, ago }) => state ?? (ago > DAY ? 'settled' : 'held')),
      subscriptions.map(confirmedAt),
      subscriptions.map(({ joinedAfter = 30 }) => joinedAfter),
    ],
  );
  const left = subscriptions.filter(({ leftAfter }) => leftAfter !== undefined);
  await db.query(
    `INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, joined_at, source, observed_at, was_removed)
     SELECT user_id, -order_id, false, left_at, NULL, 'update', left_at, was_removed
     FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::boolean[]) AS t (user_id, order_id, left_at, was_removed)`,
    [
      left.map(({ userId }) => userId),
      left.map(({ orderId }) => orderId),
      left.map((one) => addSeconds(confirmedAt(one), one.leftAfter ?? 0)),
      left.map(({ wasRemoved }) => wasRemoved ?? false),
    ],
  );
  await db.query(
    `INSERT INTO daily_totals (day, bot_id, order_id, counted, charge_kopecks, reward_kopecks)
     SELECT business_day(confirmed_at), $1, order_id, count(*), count(*) * 1000, count(*) * 700 FROM tasks
     WHERE bot_id = $1 GROUP BY 1, 3`,
    [botId],
  );
  await db.query(
    `INSERT INTO counted_users (user_id, last_counted_on) SELECT user_id, max(business_day(confirmed_at)) FROM tasks
     WHERE bot_id = $1 GROUP BY user_id ON CONFLICT DO NOTHING`,
    [botId],
  );
  await db.query(
    'INSERT INTO daily_shown (day, bot_id, order_id, shown) SELECT day, bot_id, order_id, counted * 2 FROM daily_totals WHERE bot_id = $1',
    [botId],
  );
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Ids that no two users share, far apart like those of strangers. */
const stranger = (botId: number, index: number): number => 1_000_000_000 + botId * 10_000_019 + index * 7_919;

/** Two subscriptions of each user on one day; every seventh user leaves on the first day. */
const honest = (botId: number, users = 40): Subscription[] =>
  range(users).flatMap((user) =>
    [0, 1].map((n) => ({
      userId: stranger(botId, user),
      orderId: 1 + ((user + n * 7 + botId) % CHANNELS),
      ago: 2 * DAY + (user % 20) * DAY + (8 + (user % 12)) * HOUR,
      ...(user % 7 === 3 && { leftAfter: 5 * HOUR, state: 'reversed' }),
    })),
  );

/** The same subscriptions by accounts with neighbouring ids. */
const registeredTogether = (botId: number): Subscription[] =>
  honest(botId).map((one, index) => ({ ...one, userId: 8_100_000_000 + Math.floor(index / 2) * 20 }));

/** Stores that these users passed the human check on one device. */
async function shareDevice(userIds: readonly number[]): Promise<void> {
  await database.db.query(
    `INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
     SELECT decode(repeat('ab', 16), 'hex'), unnest($1::bigint[]), 'device', 'mini_app', $2`,
    [userIds, NOW],
  );
}

const clock = { now: () => NOW };
const run = (settings = SETTINGS) => scoreSources({ db: database.db, clock, settings });
const qualityOf = async (botId: number) => (await findQuality(database.db, [botId])).get(botId);

describe('scoring', () => {
  test('gives ordinary bots a good score without reasons', async () => {
    for (const botId of range(6)) await addBot(botId + 1, honest(botId + 1));
    const report = await run();
    assert.deepEqual(report.levels, { new: 0, good: 6, watched: 0, low: 0 });
    assert.equal(report.suspiciousUsers, 0);
    assert.deepEqual(await qualityOf(1), { botId: 1, score: 100, level: 'good', reasons: [], overrideReason: null });
  });

  test('gives a bot with few subscriptions no score, and a service without scorable bots no rows', async () => {
    await addBot(1, honest(1, 10));
    assert.equal((await run()).sources, 0);
    assert.equal(await qualityOf(1), undefined);
    await addBot(2, honest(2));
    const { levels } = await run();
    assert.deepEqual(levels, { new: 1, good: 1, watched: 0, low: 0 });
    assert.deepEqual(await qualityOf(1), { botId: 1, score: null, level: 'new', reasons: [], overrideReason: null });
  });

  test('does nothing while it is off', async () => {
    await addBot(1, honest(1));
    assert.equal((await run({ ...SETTINGS, isOn: false })).sources, 0);
    assert.equal(await qualityOf(1), undefined);
  });

  test('finds accounts registered together', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    await addBot(9, registeredTogether(9));
    const { suspiciousUsers, changes } = await run();
    assert.equal(suspiciousUsers, 40);
    assert.deepEqual(
      changes.find(({ botId }) => botId === 9),
      { botId: 9, from: 'new', to: 'low' },
    );
    assert.equal((await qualityOf(9))?.reasons[0]?.code, 'suspicious_users');
    const [signal] = await findUserSignals(database.db, [8_100_000_400]);
    assert.equal(signal?.signal, 'registered_together');
    assert.deepEqual(signal?.figures, { neighbours: 39, within: 10000 });
    assert.equal((await run()).changes.length, 0, 'an unchanged level is no change');
    const notices = await database.db.query('SELECT account_id, kind, data FROM notices');
    assert.deepEqual(notices, [
      { account_id: 9n, kind: 'source_level', data: { bot_id: 9, username: 'bot_9', level: 'low' } },
    ]);
  });

  test('tells the owner once when the limits of a level end because the bot has no recent tasks', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    await addBot(9, registeredTogether(9));
    const told = async () =>
      (await database.db.query<{ data: unknown }>('SELECT data FROM notices ORDER BY id')).map(({ data }) => data);
    const later = { now: () => addSeconds(NOW, 60 * DAY) };
    const runLater = (settings = SETTINGS) => scoreSources({ db: database.db, clock: later, settings });
    await run();
    assert.equal((await runLater()).changes.length, 6);
    await runLater();
    assert.equal((await qualityOf(9))?.level, 'new');
    const bot = { bot_id: 9, username: 'bot_9' };
    assert.deepEqual(await told(), [
      { ...bot, level: 'low' },
      { ...bot, level: 'new' },
    ]);
  });

  test('withdraws the request for the human check from a user who is no longer suspicious', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    await addBot(9, registeredTogether(9));
    const [suspicious, cleared] = [8_100_000_000, stranger(1, 0)];
    await database.db.query('INSERT INTO human_check_requests SELECT unnest($1::bigint[]), $2', [
      [suspicious, cleared],
      NOW,
    ]);
    const requested = async () =>
      (await database.db.query<{ user_id: bigint }>('SELECT user_id FROM human_check_requests')).map((row) =>
        Number(row.user_id),
      );
    await scoreSources({ db: database.db, clock, settings: SETTINGS });
    assert.equal((await requested()).length, 2, 'while the human check is off');
    await scoreSources({ db: database.db, clock, settings: SETTINGS, checkStrength: 60 });
    assert.deepEqual(await requested(), [suspicious]);
  });

  test('tells the owner of a good bot only where new bots have a longer hold', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    await run();
    const count = async () => (await database.db.query('SELECT FROM notices')).length;
    assert.equal(await count(), 0);
    await database.db.query(`UPDATE bot_quality SET level = 'new'`);
    await run({ ...SETTINGS, newHoldSeconds: 3 * DAY });
    assert.equal(await count(), 5);
  });

  test('finds users who leave right after the window', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    await addBot(
      9,
      honest(9).map(({ userId, orderId, ago }) => ({ userId, orderId, ago, leftAfter: 25 * HOUR })),
    );
    await run();
    const quality = await qualityOf(9);
    assert.equal(quality?.level, 'low');
    assert.equal(quality?.reasons[0]?.code, 'early_leaves');
  });

  test('counts a user whom the advertiser removed as staying', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    const removed = honest(9).map(({ userId, orderId, ago }) => ({ userId, orderId, ago, leftAfter: 25 * HOUR }));
    await addBot(9, removed);
    await database.db.query('UPDATE tasks SET kept_at = confirmed_at WHERE bot_id = 9');
    await run();
    assert.equal(
      (await qualityOf(9))?.reasons.some(({ code }) => code === 'early_leaves'),
      false,
    );
  });

  test('counts a user whom the advertiser removed after the window as staying', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    const removed = honest(9).map((one) => ({ ...one, leftAfter: 25 * HOUR, wasRemoved: true }));
    await addBot(9, removed);
    await run();
    const codes = (await qualityOf(9))?.reasons.map(({ code }) => code) ?? [];
    assert.equal(codes.includes('early_leaves'), false, codes.join());
    const [removedUser] = removed;
    assert.deepEqual(await findUserSignals(database.db, [removedUser?.userId ?? 0]), []);
  });

  test('finds users behind one device, and the human check halves the suspicion', async () => {
    await addBot(1, honest(1));
    const users = range(40).map((user) => stranger(1, user));
    await shareDevice(users);
    assert.equal((await run()).suspiciousUsers, 40);
    assert.equal((await qualityOf(1))?.level, 'low');
    await database.db.query('INSERT INTO human_checks SELECT unnest($1::bigint[]), $2', [users, NOW]);
    assert.equal((await run()).suspiciousUsers, 0);
    const quality = await qualityOf(1);
    const codes = quality?.reasons.map(({ code }) => code);
    assert.deepEqual([quality?.level, codes], ['low', ['shared_devices']], 'the source does: a farm can pass by hand');
  });

  test('compares the leaves of the second day with the time that passed', async () => {
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    // Six hours into their second day, a quarter of the users has left.
    const young = range(40).map((user) => ({
      userId: stranger(9, user),
      orderId: 1 + (user % CHANNELS),
      ago: DAY + 6 * HOUR,
      ...(user % 4 === 0 && { leftAfter: DAY + 3 * HOUR }),
    }));
    await addBot(9, young);
    await run();
    const [reason] = (await qualityOf(9))?.reasons ?? [];
    assert.deepEqual([reason?.code, reason?.figures.left, reason?.figures.of], ['early_leaves', 10, 40]);
  });

  test('finds a ring whose members do the tasks of several owners day after day', async () => {
    for (const botId of range(12)) await addBot(botId + 1, honest(botId + 1));
    for (const botId of [21, 22]) {
      await addBot(
        botId,
        range(20).flatMap((user) =>
          range(4).map((day) => ({
            userId: stranger(21, user),
            orderId: 1 + ((user + day + botId * 5) % CHANNELS),
            ago: (1 + day) * DAY + botId * HOUR,
            leftAfter: 20 * HOUR,
            state: 'reversed',
          })),
        ),
      );
    }
    await run();
    const quality = await qualityOf(22);
    const circle = quality?.reasons.find(({ code }) => code === 'closed_circle');
    assert.deepEqual(circle?.figures, { shared: 20, users: 20, market: 0 });
    const honestCodes = (await qualityOf(1))?.reasons.map(({ code }) => code);
    assert.deepEqual(honestCodes, []);
  });

  test('a shared address alone makes no user suspicious', async () => {
    await addBot(1, honest(1));
    await database.db.query(
      `INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
       SELECT decode(repeat('cd', 16), 'hex'), unnest($1::bigint[]), 'address', 'smart_link', $2`,
      [range(40).map((user) => stranger(1, user)), NOW],
    );
    assert.equal((await run()).suspiciousUsers, 0);
  });

  test('what any bot can forge about users makes them suspicious only beside other evidence', async () => {
    await addBot(1, honest(1));
    const users = range(40).map((user) => stranger(1, user));
    const { db } = database;
    const mark = (userIds: readonly number[], kind: string) =>
      db.query(
        `INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
         SELECT decode(md5($2), 'hex'), unnest($1::bigint[]), $2, 'smart_link', $3`,
        [userIds, kind, NOW],
      );
    await mark(users, 'address');
    await db.query(
      `INSERT INTO audience_users (user_id, first_seen_at, facts, facts_at)
       SELECT unnest($1::bigint[]), $2, '{"hasGeneratedName": true}', $2`,
      [users, NOW],
    );
    await db.query('INSERT INTO confirm_refusals SELECT unnest($1::bigint[]), business_day($2), 50', [users, NOW]);
    assert.equal((await run()).suspiciousUsers, 0);
    const signalsOfFirst = async () => (await findUserSignals(db, users.slice(0, 1))).map(({ signal }) => signal);
    assert.deepEqual(await signalsOfFirst(), ['shared_address']);

    // Three users of one device are weak evidence, four are worth 40, and five are enough alone.
    await mark(users.slice(0, 4), 'device');
    assert.equal((await run()).suspiciousUsers, 0);
    await mark(users.slice(4, 5), 'device');
    assert.equal((await run()).suspiciousUsers, 5);
    assert.deepEqual(await signalsOfFirst(), ['shared_device', 'generated_name', 'refused_confirms', 'shared_address']);
  });

  test('invented users whose tasks are never counted do not hide suspicious ones', async () => {
    const farm = range(40).map((user) => ({
      userId: 8_000_000_000 + user * 10,
      orderId: 1 + (user % CHANNELS),
      ago: 2 * DAY + (user % 24) * HOUR,
    }));
    const invented = range(400).map((user) => ({
      userId: stranger(7, user),
      orderId: 1 + (user % CHANNELS),
      ago: 5 * HOUR,
      state: 'pending',
    }));
    await addBot(1, [...farm, ...invented]);
    await run();
    const quality = await qualityOf(1);
    assert.deepEqual([quality?.level, quality?.reasons[0]?.code], ['low', 'suspicious_users']);
  });

  test('subscriptions that only an advertiser approved say nothing about users and other sources', async () => {
    const { db } = database;
    for (const botId of range(5)) await addBot(botId + 1, honest(botId + 1));
    await run();
    const readFigures = () => db.query('SELECT bot_id, figures FROM bot_quality WHERE bot_id <= 5 ORDER BY bot_id');
    const before = await readFigures();
    // The orders of an advertiser for outside bots. Four publishers confirm them for strangers, who did nothing.
    const outside = range(40).map((index) => 100 + index);
    await db.query(
      `INSERT INTO resources (id, type, chat_id, created_at) OVERRIDING SYSTEM VALUE SELECT id, 'bot', id, $1 FROM unnest($2::bigint[]) id`,
      [NOW, outside],
    );
    await db.query(
      `INSERT INTO orders (id, account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks,
                           reward_kopecks, quantity, hold_seconds, refund, created_at) OVERRIDING SYSTEM VALUE
       SELECT id, 80, id, 'order', 'title', 'https://t.me/x', 'active', 1000, 1000, 700, 10000, 86400, true, $1
       FROM unnest($2::bigint[]) id`,
      [NOW, outside],
    );
    const invented = range(40).map((index) => 8_100_000_000 + index * 20);
    const rivals = range(5).flatMap((index) => [stranger(1, index), stranger(2, index)]);
    const sharers = range(6).map((index) => stranger(77, index));
    await shareDevice(sharers);
    const targets = [...invented, ...rivals, ...sharers];
    for (const [part, botId] of [9, 10, 11, 12].entries()) {
      const approved = targets.flatMap((userId) =>
        outside
          .filter((orderId) => orderId % 4 === part)
          .map((orderId) => ({ userId, orderId, ago: 3 * DAY + orderId * 10, joinedAfter: -4 })),
      );
      await addBot(botId, approved);
    }

    assert.equal((await run()).suspiciousUsers, 0);
    assert.deepEqual(await db.query('SELECT * FROM user_signals'), []);
    assert.deepEqual(await readFigures(), before);
    assert.equal((await qualityOf(9))?.score, 100, 'the volume is enough for a score');

    await db.query("UPDATE resources SET bot_token_encrypted = 'token' WHERE type = 'bot'");
    assert.ok((await run()).suspiciousUsers >= targets.length, 'what Telegram proves counts');
    assert.notDeepEqual(await readFigures(), before);
  });

  test('finds an owner who buys from himself through a connected account', async () => {
    await addBot(1, honest(1));
    await database.db.query('UPDATE orders SET account_id = 40');
    await run();
    assert.equal((await qualityOf(1))?.level, 'good');
    // Both account owners were seen on one device.
    await database.db.query(
      `INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
       SELECT decode(repeat('ef', 16), 'hex'), unnest($1::bigint[]), 'device', 'mini_app', $2`,
      [[1001, 1040], NOW],
    );
    await run();
    const quality = await qualityOf(1);
    assert.equal(quality?.level, 'low');
    assert.deepEqual(quality?.reasons[0], { code: 'connected_revenue', points: 75, figures: { share: 100 } });
  });

  test('finds a ring that subscribes to everything through several bots', async () => {
    for (const botId of range(6)) await addBot(botId + 1, honest(botId + 1));
    const ring = range(5).map((bot) =>
      range(30).flatMap((person) =>
        range(8).map((n) => ({
          userId: stranger(30, person),
          orderId: 1 + bot * 8 + n,
          ago: (3 + ((person + n) % 20)) * DAY + 8 * HOUR,
        })),
      ),
    );
    for (const [index, subscriptions] of ring.entries()) await addBot(20 + index, subscriptions);
    const { levels } = await run();
    assert.deepEqual(levels, { new: 0, good: 6, watched: 0, low: 5 });
    const signals = await findUserSignals(database.db, [stranger(30, 4)]);
    assert.deepEqual(
      signals.map(({ signal }) => signal),
      ['subscribes_everywhere', 'same_channels'],
    );
  });

  test('a signal that no longer holds is deleted, and one that was not observed for 90 days is forgotten', async () => {
    await addBot(1, honest(1));
    await database.db.query(
      `INSERT INTO user_signals VALUES ($1, 'instant_join', 35, '{}', 'tasks', $2), (5, 'instant_join', 35, '{}', 'tasks', $3)`,
      [stranger(1, 0), NOW, addDays(NOW, -90)],
    );
    await run();
    assert.deepEqual(await findUserSignals(database.db, [stranger(1, 0)]), []);
    assert.equal((await findUserSignals(database.db, [5])).length, 1);
    assert.equal(await forgetSignals({ db: database.db, clock }), 1);
    assert.deepEqual(await findUserSignals(database.db, [5]), []);
  });

  test("an operator's level applies instead of the computed one, and the cache follows", async () => {
    await addBot(1, honest(1));
    const book = createQualityBook(database.db, SETTINGS);
    await run();
    await book.reload();
    assert.deepEqual(book.of(1), { score: 100, level: 'good', holdSeconds: 0, extendsWindow: false, orderShare: null });
    await database.db.query(
      "UPDATE bot_quality SET override_level = 'low', override_reason = 'a farm' WHERE bot_id = 1",
    );
    await run();
    await book.reload();
    assert.deepEqual(book.of(1), {
      score: 100,
      level: 'low',
      holdSeconds: 168 * HOUR,
      extendsWindow: true,
      orderShare: 10,
    });
    assert.equal((await qualityOf(1))?.overrideReason, 'a farm');
    assert.deepEqual(book.of(2), { score: null, level: 'new', holdSeconds: 0, extendsWindow: false, orderShare: null });
  });

  test('the results do not depend on how the users are divided into statements', async () => {
    for (const botId of range(6)) await addBot(botId + 1, honest(botId + 1));
    const leavers = honest(9).map(({ userId, orderId, ago }) => ({ userId, orderId, ago, leftAfter: 25 * HOUR }));
    await addBot(9, leavers);
    // Every second user of bot 9 has tasks in another bot of the same owner too.
    await addBot(
      10,
      leavers
        .filter((_, index) => index % 4 < 2)
        .map((one) => ({ ...one, orderId: 1 + ((one.orderId + 15) % CHANNELS) })),
      9,
    );
    const results = async (sliceTasks: number) => {
      await database.db.query('TRUNCATE bot_quality, user_signals');
      const report = await scoreSources({ db: database.db, clock, settings: SETTINGS, sliceTasks });
      const scores = await database.db.query('SELECT * FROM bot_quality ORDER BY bot_id');
      return {
        report,
        scores,
        signals: await database.db.query('SELECT * FROM user_signals ORDER BY user_id, signal'),
      };
    };
    const whole = await results(1_000_000);
    assert.equal(whole.scores.length, 8);
    assert.deepEqual(await results(200), whole);
    assert.deepEqual(await results(7), whole);
  });

  test('a bot without recent tasks becomes new again', async () => {
    await addBot(1, honest(1));
    await run();
    await database.db.query("UPDATE tasks SET confirmed_at = confirmed_at - interval '60 days'");
    await run();
    assert.equal((await qualityOf(1))?.level, 'new');
  });
});

describe('sampled checks', () => {
  const find = (samplePercent: number, seed = 1n) =>
    findStaysToCheck(database.db, { now: NOW, samplePercent, seed, limit: 1000 });

  test('concern settled subscriptions of watched and low sources, about as many as the setting says', async () => {
    const many = range(1_000).map((user) => ({
      userId: stranger(1, user),
      orderId: 1 + (user % CHANNELS),
      ago: 3 * DAY,
    }));
    await addBot(1, many);
    await run();
    assert.equal((await find(20)).length, 0, 'a good source is not checked');
    await database.db.query("UPDATE bot_quality SET override_level = 'watched', override_reason = 'test'");
    const sample = await find(20);
    const keyOf = ({ userId, orderId }: { userId: number; orderId: number }): string => `${userId}:${orderId}`;
    const guessed = new Set((await find(20, 2n)).map(keyOf));
    const common = sample.filter((one) => guessed.has(keyOf(one))).length;
    assert.ok(common < sample.length / 2, `without the seed ${common} of ${sample.length} are guessed`);
    assert.ok(sample.length > 150 && sample.length < 250, `${sample.length} of 1000`);
    assert.deepEqual(new Set(await find(20)), new Set(sample), 'every run selects the same ones');
    await recordStays(
      database.db,
      sample.map((one) => ({ ...one, stayed: false })),
      NOW,
    );
    assert.equal((await find(20)).length, 0, 'each is checked once');
    assert.equal((await find(100)).length, 1_000 - sample.length);
  });

  test('a user who is found to have left counts as having left', async () => {
    await addBot(1, honest(1));
    await run();
    const stayed = async () =>
      (
        await database.db.query<{ n: number }>(
          "SELECT (figures->>'stayed30')::int + (figures->>'stayed7')::int AS n FROM bot_quality",
        )
      )[0]?.n;
    const before = (await stayed()) ?? 0;
    await database.db.query("UPDATE bot_quality SET override_level = 'low', override_reason = 'test'");
    const sample = await find(100);
    await recordStays(
      database.db,
      sample.map((one) => ({ ...one, stayed: false })),
      addSeconds(NOW, -18 * DAY),
    );
    await run();
    assert.ok(((await stayed()) ?? 0) < before / 2);
  });
});
