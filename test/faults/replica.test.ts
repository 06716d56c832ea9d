import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitor } from '../console/visitor.ts';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, runCommand, type ServiceProcess, startProcess } from '../support/process.ts';
import { type ReplicatedPostgres, startReplicatedPostgres, untilReplayed } from '../support/replicated-postgres.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';

let servers: ReplicatedPostgres;
let service: ServiceProcess;
let publisher: Publisher;
let order: Advertised;
before(async () => {
  servers = await startReplicatedPostgres();
  service = await startProcess({ DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URL: servers.standby.url });
  await service.sandbox.pauseAllOrders();
  publisher = await service.sandbox.publisher({ max_sponsors: 1 });
  order = await service.sandbox.advertise({ price_per_sub: 10, quantity: 100 });
  await service.sandbox.subscribe(publisher.token, order, freshUser());
});
after(async () => {
  await servers.standby.resume();
  await killAll();
  await servers.stop();
});

async function statistic(): Promise<{ readonly subscribers: number; readonly age: string | null }> {
  const answer = await service.sandbox.statistic(publisher.token, { action: 'allbots' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const [bot] = answer.body.bots;
  return { subscribers: bot.total_subscribers, age: answer.headers.get('x-figures-age') };
}

test('a replica URL that leads to a primary stops the start with one line, and doctor repeats it', async () => {
  const settings = { DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URL: servers.primary.url, PORT: '0' };
  const started = await runCommand(['start'], settings);
  assert.equal(started.code, 1);
  assert.match(started.stderr, /^sponsorgate: DATABASE_REPLICA_URL leads to a primary: .*\n$/m);
  const examined = await runCommand(['doctor'], settings);
  assert.match(examined.stdout, /^fail +replica +DATABASE_REPLICA_URL leads to a primary/m);
});

test('a database URL that leads to a standby stops the start with one line', async () => {
  const started = await runCommand(['start'], { DATABASE_URL: servers.standby.url, PORT: '0' });
  assert.equal(started.code, 1);
  assert.match(started.stderr, /^sponsorgate: DATABASE_URL leads to a standby, which takes no writes: .*\n$/m);
});

test('statistics, console and verify-ledger read the replica and say how old the figures are', async () => {
  await untilReplayed(servers);
  await eventually('the replica is used', async () => (await statistic()).age !== null);
  const { subscribers, age } = await statistic();
  assert.equal(subscribers, 1);
  assert.match(age ?? '', /^\d+$/);
  const html = await service.sandbox.statistic(publisher.token, { action: 'allbots', output_format: 'html' });
  assert.match(html.body, /Цифры отстают на \d+ с|The figures are \d+ s old/);
  const grace = await Visitor.signedIn(service.sandbox, { deposit: 100 });
  await service.sandbox.control('POST', '/bots', { account_id: grace.accountId });
  assert.match((await grace.get('/console')).text, /The figures come from a read replica and are \d+ seconds? old\./);
  const settings = { DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URL: servers.standby.url };
  const verified = await runCommand(['verify-ledger'], settings);
  assert.equal(verified.code, 0, verified.stdout);
  assert.match(verified.stdout, /^Read from the replica, which is \d+ s behind\.$/m);
  assert.match((await runCommand(['doctor'], { ...settings, PORT: '1' })).stdout, /^ok +replica +is a standby/m);
});

test('requests never read the replica, and a replica that is more than 30 s behind is left out', async () => {
  await query(servers.standby.url, 'SELECT pg_wal_replay_pause()');
  await service.sandbox.subscribe(publisher.token, order, freshUser());
  const user = freshUser();
  assert.equal((await service.sandbox.getSponsors(publisher.token, user))[0]?.ads_id, order.orderId);
  await service.sandbox.join(order.chatId, user);
  assert.equal((await service.sandbox.confirm(publisher.token, user, order.orderId)).code, 'counted');
  const before = await statistic();
  assert.ok(before.age === null || before.subscribers === 1, 'the replica does not have the new subscriptions');
  await eventually('the replica is left out', async () => (await statistic()).age === null, { everyMs: 500 });
  assert.equal((await statistic()).subscribers, 3);
  assert.match(service.stderr(), /"reason":"it is more than 30 s behind"/);
  // Replay has waited for longer than a query may delay it, so it may cancel even the statement that resumes it.
  await query(servers.standby.url, 'SELECT pg_wal_replay_resume()').catch((error: Error) =>
    assert.match(error.message, /conflict with recovery/),
  );
  await eventually('the replica is used again', async () => (await statistic()).age !== null);
  assert.equal((await statistic()).subscribers, 3);
});

test('a replica that hangs is left out, and used again when it returns', async () => {
  await servers.standby.pause();
  await eventually('the replica is left out', async () => (await statistic()).age === null);
  assert.equal((await statistic()).subscribers, 3);
  await servers.standby.resume();
  await eventually('the replica is used again', async () => (await statistic()).age !== null);
});
