import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ DEMO_HISTORY: 'on' });
});
after(() => service?.stop());

const demoToken = async (): Promise<string> => (await service.sandbox.control('GET', '/state')).bots[0].api_token;

/** The figures of the history that depend on nothing but its rules. */
async function figures() {
  const { orders } = await service.sandbox.control('GET', '/state');
  const [counts = {}] = await service.database.db.query<Partial<Record<string, number>>>(
    `SELECT count(*)::int AS tasks, count(DISTINCT user_id)::int AS users,
            count(*) FILTER (WHERE state = 'settled')::int AS settled,
            count(*) FILTER (WHERE state = 'reversed')::int AS reversed,
            (SELECT count(DISTINCT day)::int FROM daily_totals WHERE counted > 0) AS days,
            (SELECT count(*)::int FROM payouts WHERE status = 'sent') AS payouts,
            (SELECT count(*)::int FROM notices) AS notices,
            (SELECT count(*)::int FROM audience_users) AS seen,
            (SELECT count(DISTINCT user_id)::int FROM audience_values) AS learned
     FROM tasks`,
  );
  const subscribers: number[] = orders.map((order: { subscribers: number }) => order.subscribers);
  return { counts, subscribers };
}

test('a new sandbox has two weeks of history, and a reset creates the same again', async () => {
  const first = await figures();
  const { days = 0, settled = 0, reversed = 0, tasks, payouts, notices } = first.counts;
  assert.ok(days >= 12 && settled > 200 && reversed > 5, JSON.stringify(first));
  assert.equal(settled + reversed, tasks, 'nothing of the history is open');
  assert.deepEqual([payouts, notices], [2, 0]);
  assert.ok(
    first.subscribers.every((count) => count > 10),
    JSON.stringify(first),
  );
  await service.sandbox.assertBalanced();
  await service.sandbox.control('POST', '/reset');
  assert.deepEqual(await figures(), first);
  await service.sandbox.assertBalanced();
});

test('the history leaves the demo publisher at zero and nothing to happen later', async () => {
  const token = await demoToken();
  const balance = async () => {
    const { body } = await service.sandbox.api(token, 'get-balance', {});
    return [body.balance, body.hold_balance];
  };
  assert.deepEqual(await balance(), [0, 0]);
  const before = await service.sandbox.control('GET', '/ledger');
  await service.sandbox.advance(2 * 24 * 60 * 60);
  assert.deepEqual(await balance(), [0, 0]);
  assert.deepEqual((await service.sandbox.control('GET', '/ledger')).accounts, before.accounts);
});

test('the history does not change which tasks a new user gets', async () => {
  const tasks = await service.sandbox.getSponsors(await demoToken(), 100_001, { max_sponsors: 6 });
  assert.deepEqual(
    tasks.map(({ title }) => title),
    ['Quiz night', 'Cheap flights', 'Trip planner', 'Barista notes', 'Coffee every day', 'Indie games'],
  );
});

test('statistics and audience of the demo bot are not empty', async () => {
  const token = await demoToken();
  const { body } = await service.sandbox.call('GET', `/statistic?api_token=${token}&action=allbots`);
  assert.match(JSON.stringify(body), /demo_publisher_bot/);
  const stats = (await service.sandbox.call('GET', '/api/v1/platform-stats', undefined, { auth: token })).body;
  assert.ok(JSON.stringify(stats).length > 10, JSON.stringify(stats));
});
