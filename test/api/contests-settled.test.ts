import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../support/books.ts';
import { CONTEST_RULES } from '../support/contest-rules.ts';
import { bindContests } from '../support/money-use-cases.ts';
import { newUsers } from '../support/users.ts';
import { useService } from './use-service.ts';

const service = useService();
const DAY_SECONDS = 24 * 3600;

test('a contest counts rewards settled in its period, not those in hold, reversed or settled later', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const users = newUsers(5);
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: users.length });
  for (const user of users) await sandbox.subscribe(publisher.token, order, user);
  const settledTimes = async (): Promise<(Date | null)[]> =>
    (
      await query<{ settled_at: Date | null }>(
        database.url,
        'SELECT settled_at FROM tasks WHERE order_id = $1 ORDER BY user_id',
        [order.orderId],
      )
    ).map((row) => row.settled_at);
  assert.deepEqual(await settledTimes(), [null, null, null, null, null]);
  const [leaver = 0] = users;
  await sandbox.leave(order.chatId, leaver);
  const { now } = await sandbox.control('GET', '/state');
  await sandbox.advance(DAY_SECONDS + 60);

  const [reversed, ...settled] = await settledTimes();
  assert.equal(reversed, null);
  const begin = new Date(now).getTime() + DAY_SECONDS * 1000;
  for (const time of settled) assert.ok(time !== null && time.getTime() >= begin - 60_000, String(time));
  const last = Math.max(...settled.map((time) => time?.getTime() ?? 0));

  const contests = bindContests({
    db: database.db,
    clock: { now: () => new Date(last) },
    ...CONTEST_RULES,
  });
  const create = async (startsAt: number, endsAt: number) => {
    const dates = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
    const outcome = await contests.create({ key: `${startsAt} ${endsAt}`, name: 'A', ...dates, prizesKopecks: [1n] });
    assert.ok(outcome.kind === 'created');
    return outcome.contest;
  };
  const within = await contests.standings(await create(begin - 60_000, last + 1), 10);
  assert.deepEqual(
    within.map(({ accountId, score }) => ({ accountId, score })),
    [{ accountId: publisher.accountId, score: 4 }],
  );
  assert.deepEqual(await contests.standings(await create(last + 1, last + 2), 10), []);
});
