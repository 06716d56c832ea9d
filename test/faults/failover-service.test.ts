import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertBooks, query, taskStates } from '../support/books.ts';
import { type CuttableProxy, openCuttableProxy } from '../support/cuttable-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, type ServiceProcess, startProcess } from '../support/process.ts';
import { type ReplicatedPostgres, startReplicatedPostgres, untilReplayed } from '../support/replicated-postgres.ts';
import type { Answer } from '../support/sandbox.ts';
import { newUsers } from '../support/users.ts';
import { moveClock } from '../support/workers.ts';

let servers: ReplicatedPostgres;
let wire: CuttableProxy;
let service: ServiceProcess;
before(async () => {
  servers = await startReplicatedPostgres();
  wire = await openCuttableProxy(servers.primary.url);
  service = await startProcess({ DATABASE_URL: wire.url });
});
after(async () => {
  await killAll();
  await wire.close();
  await servers.stop();
});

test('while its primary hangs a service returns 503 with Retry-After; after the failover it works without a restart', async () => {
  const { sandbox } = service;
  await sandbox.pauseAllOrders();
  const { token } = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 10 });
  const [leaver = 0, stayer = 0] = newUsers(2);
  for (const user of [leaver, stayer]) {
    await sandbox.getSponsors(token, user);
    await sandbox.join(order.chatId, user, true);
  }
  await untilReplayed(servers);

  const answers: Answer[] = [];
  const confirm = async (user: number): Promise<Answer> => {
    const answer = await sandbox.api(token, 'confirm-subscription', { user_id: user, ads_id: order.orderId });
    answers.push(answer);
    return answer;
  };
  await servers.primary.pause();
  const away = await confirm(stayer);
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '1']);
  assert.equal(away.body.code, 'database_unavailable');
  assert.equal((await sandbox.call('GET', '/api/v1/ready')).status, 503);
  assert.equal((await sandbox.call('GET', '/api/v1/health')).status, 200);

  await servers.standby.promote();
  wire.retarget(servers.standby.url);
  await servers.primary.resume(); // the former primary returns and still takes writes
  const isCounted = (user: number) => async () => (await confirm(user)).body.code === 'counted';
  await eventually('confirms are counted on the new primary', isCounted(leaver));
  await eventually('the other one too', isCounted(stayer));
  for (const { status, headers } of answers) {
    assert.ok(status === 200 || (status === 503 && headers.get('retry-after') === '1'), `a response was ${status}`);
  }
  const onFormer = await query(
    servers.primary.url,
    "SELECT user_id FROM all_tasks WHERE state = 'held' AND user_id = $1",
    [leaver],
  );
  assert.deepEqual(onFormer, [], 'the former primary got no write');

  // Updates, notifications and jobs go on.
  const becomes = (state: string) => async () => (await taskStates(servers.standby.url, order.orderId))[state] === 1;
  const leaves = async () =>
    (await sandbox.call('DELETE', `/sandbox/chats/${order.chatId}/members/${leaver}`)).status === 204;
  await eventually('the sandbox records the leave', leaves);
  await eventually('the poller reverses the reward', becomes('reversed'));
  await moveClock(servers.standby.url, 24 * 3600);
  await eventually('a job settles the other reward', becomes('settled'));
  const next = await sandbox.advertise({ price_per_sub: 90, quantity: 10 });
  await eventually('a new order is shown', async () => {
    const [user = 0] = newUsers(1);
    return (await sandbox.getSponsors(token, user))[0]?.ads_id === next.orderId;
  });
  await assertBooks(servers.standby.url);
});
