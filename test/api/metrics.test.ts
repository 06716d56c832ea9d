import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { query } from '../support/books.ts';
import { openCuttableProxy } from '../support/cuttable-proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { readFigures } from '../support/figures.ts';
import { freshUser } from '../support/sandbox.ts';
import { startOn } from '../support/service.ts';
import { moveClock, tick } from '../support/workers.ts';
import { useService } from './use-service.ts';

const HOUR_SECONDS = 60 * 60;
/** Figures from the database may be up to five seconds old. */
const SOON = { everyMs: 200 };

// Without a worker no job runs unless a test starts it.
const service = useService({ ROLES: 'api,bot' });
const figures = () => readFigures(service.url);

describe('counters', () => {
  test('count requests by route template and never contain paths, ids or tokens', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher({ beta: true });
    const before = await figures();
    await sandbox.call('GET', '/api/v1/orders/98765431', undefined, { auth: token });
    await sandbox.statistic(token);
    await sandbox.call('GET', '/l/a-code-98765432');
    await sandbox.call('GET', '/nowhere/98765433');
    await sandbox.call('PROPFIND', '/nowhere/98765434');
    const after = await figures();

    const series = [
      { method: 'GET', route: '/api/v1/orders/:id', status: '4xx' },
      { method: 'GET', route: '/statistic', status: '2xx' },
      { method: 'GET', route: '/l/:code', status: '4xx' },
    ];
    for (const labels of series) {
      const grown = after.count('http_request_seconds', labels) - before.count('http_request_seconds', labels);
      assert.equal(grown, 1, labels.route);
    }
    const unmatched = { method: 'any', route: 'unmatched', status: '4xx' };
    assert.equal(
      after.count('http_request_seconds', unmatched) - before.count('http_request_seconds', unmatched),
      2,
      'paths and methods that nobody serves share one series',
    );
    for (const secret of [token, '9876543', 'nowhere', 'PROPFIND']) assert.ok(!after.text.includes(secret), secret);
  });

  test('count batches by size and duration, and Telegram calls by outcome', async () => {
    const { sandbox } = service;
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise();
    const before = await figures();
    await sandbox.subscribe(publisher.token, order, freshUser());
    await sandbox.fault({ mode: 'too_many_requests', retry_after: 3_600, method: 'getChatMember' });
    const other = freshUser();
    await sandbox.getSponsors(publisher.token, other);
    await sandbox.confirm(publisher.token, other, order.orderId);
    const after = await figures();

    const grown = (name: string, labels: Record<string, string>) =>
      after.count(name, labels) - before.count(name, labels);
    assert.equal(grown('batch_items', { batcher: 'placements' }), 2);
    assert.equal(grown('batch_items', { batcher: 'confirms' }), 1);
    assert.equal(grown('batch_seconds', { batcher: 'confirms' }), 1);
    assert.ok(grown('telegram_call_seconds', { method: 'getChatMember', outcome: 'ok' }) >= 1);
    assert.ok(grown('telegram_call_seconds', { method: 'getChatMember', outcome: 'flood' }) >= 1);
    assert.ok(after.count('telegram_call_seconds', { method: 'getMe', outcome: 'ok' }) >= 1, 'the bot that polls, too');
  });
});

describe('gauges of due work', () => {
  const settleDue = async () => (await figures()).value('tasks_due', { work: 'settle' });
  // Settles rewards that earlier tests left in hold.
  beforeEach(async () => {
    await service.sandbox.advance(50 * HOUR_SECONDS);
    await eventually('nothing is due', async () => (await settleDue()) === 0, SOON);
  });

  test('show overdue settlements and expiries with their age', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: 24 });
    await sandbox.subscribe(publisher.token, order, freshUser());
    await sandbox.getSponsors(publisher.token, freshUser());
    assert.equal((await figures()).value('orders_in_book', { availability: 'open' }), 1);

    await moveClock(database.url, 26 * HOUR_SECONDS);
    const bothAreDue = async (): Promise<boolean> => {
      const now = await figures();
      return ['settle', 'expire'].every((work) => now.value('tasks_due', { work }) === 1);
    };
    await eventually('both are due', bothAreDue, SOON);
    const age = (await figures()).value('tasks_due_oldest_seconds', { work: 'settle' }) ?? 0;
    assert.ok(age >= 2 * HOUR_SECONDS && age < 3 * HOUR_SECONDS, `due for ${age} s`);
    await sandbox.advance(1);
    await eventually('all is done', async () => (await settleDue()) === 0, SOON);
  });

  test('still show a task as due after a failed attempt to settle it', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: 24 });
    await sandbox.subscribe(publisher.token, order, freshUser());
    await sandbox.fault({ mode: 'down', method: 'getChatMember' });
    await sandbox.advance(30 * HOUR_SECONDS);
    const putOff = await query(database.url, "SELECT FROM tasks WHERE state = 'held' AND next_check_at > release_at");
    assert.equal(putOff.length, 1, 'a worker has looked at it');
    const isShown = async (): Promise<boolean> => {
      const now = await figures();
      const age = now.value('tasks_due_oldest_seconds', { work: 'settle' }) ?? 0;
      return now.value('tasks_due', { work: 'settle' }) === 1 && age >= 6 * HOUR_SECONDS;
    };
    await eventually('it is shown', isShown, SOON);
  });

  test('show webhook deliveries as due until a worker sends them', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ beta: true });
    const url = `${sandbox.url}/sandbox/inbox/figures`;
    await sandbox.api(publisher.token, 'webhooks', { url, events: ['subscription.confirmed'] });
    const order = await sandbox.advertise();
    await sandbox.subscribe(publisher.token, order, freshUser());
    const receiver = { receiver: 'answering' };
    await eventually('one waits', async () => (await figures()).value('webhook_deliveries_due', receiver) === 1, SOON);
    assert.ok(((await figures()).value('webhook_lag_seconds', receiver) ?? 0) > 0);

    const worker = await startOn(database.url, { ROLES: 'worker' });
    try {
      await eventually(
        'none waits',
        async () => (await figures()).value('webhook_deliveries_due', receiver) === 0,
        SOON,
      );
      const sent = await readFigures(worker.url);
      assert.ok(sent.count('webhook_attempt_seconds', { outcome: 'delivered' }) >= 1);
    } finally {
      await worker.stop();
    }
  });
});

test('a worker shows its jobs and the ledger state, and no ledger state before the first verification', async () => {
  const { database } = service;
  const worker = await startOn(database.url, { ROLES: 'worker' });
  const seen = () => readFigures(worker.url);
  const verifications = async () => (await seen()).count('job_seconds', { job: 'verify-ledger', outcome: 'ok' });
  const verify = async () => {
    const before = await verifications();
    await tick(database.url, 'verify-ledger');
    await eventually('it is verified', async () => (await verifications()) > before, SOON);
  };
  const spoil = (by: number) =>
    query(
      database.url,
      "UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + $1 WHERE kind = 'available' AND owner_id = 1",
      [by],
    );
  try {
    assert.equal((await figures()).value('ledger_balanced'), undefined, 'another process has verified nothing');
    await verify();
    const good = await seen();
    assert.deepEqual([good.value('ledger_balanced'), good.value('ledger_faults')], [1, 0]);
    const at = good.value('ledger_verified_timestamp_seconds') ?? 0;
    assert.ok(Math.abs(at - Date.now() / 1000) < HOUR_SECONDS, 'by the clock of the machine, wherever the sandbox is');
    assert.ok(good.value('job_last_success_timestamp_seconds', { job: 'verify-ledger' }));

    await spoil(1);
    await verify();
    const bad = await seen();
    assert.deepEqual([bad.value('ledger_balanced'), bad.value('ledger_faults')], [0, 1]);
    assert.match(worker.logs(), /"level":50.*available:1.*the ledger does not add up/);
  } finally {
    await spoil(0 - 1);
    await worker.stop();
  }
});

test('while the database is down the page reports it and shows no stale figures', async () => {
  const database = await createTestDatabase();
  const proxy = await openCuttableProxy(database.url);
  const running = await startOn(proxy.url, { ROLES: 'api' });
  try {
    const before = await readFigures(running.url);
    assert.deepEqual([before.value('database_up'), before.value('tasks_due', { work: 'settle' })], [1, 0]);
    assert.ok((before.value('database_connections', { state: 'idle' }) ?? 0) > 0);
    await proxy.close();
    await eventually('it says so', async () => (await readFigures(running.url)).value('database_up') === 0, SOON);
    const after = await readFigures(running.url);
    assert.equal(after.value('tasks_due', { work: 'settle' }), undefined);
    assert.ok(after.count('http_request_seconds', { method: 'GET', route: '/metrics', status: '2xx' }) >= 1);
  } finally {
    await running.stop();
    await database.drop();
  }
});
