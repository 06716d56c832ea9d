import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { adjustBot, listTokens, revokeToken, switchOwnBot } from '../../src/modules/bots/index.ts';
import { banAccount, banUserId, unbanAccount } from '../../src/modules/operators/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser, type Publisher, type Sandbox } from '../support/sandbox.ts';
import { type ServiceGroup, startServiceGroup } from '../support/service-group.ts';

let database: ServiceGroup['database'];
let stop: ServiceGroup['stop'];
/** The process of the tests. */
let near: Sandbox;
let far: Sandbox;
let operators: Parameters<typeof banAccount>[0];

before(async () => {
  const group = await startServiceGroup({ ROLES: 'api' }, { ROLES: 'api,bot' });
  ({ database, stop } = group);
  [near, far] = [group.reach(0), group.reach(1)];
  operators = { db: database.db, clock: systemClock, operatorIds: new Set([1]) };
});
after(() => stop());

const status = async (sandbox: Sandbox, token: string): Promise<number> =>
  (await sandbox.api(token, 'get-balance', {})).status;

/** Creates a bot whose token is in the caches of both processes, as after a first request. */
async function knownPublisher(): Promise<Publisher> {
  const publisher = await near.publisher({ beta: true });
  for (const sandbox of [near, far]) assert.equal(await status(sandbox, publisher.token), 200);
  return publisher;
}

describe('after a change in one process, in the other process', () => {
  test('a paused order is not shown, and a resumed order is', async () => {
    const { token } = await knownPublisher();
    const { orderId } = await near.advertise();
    const isShown = async () => (await far.getSponsors(token, freshUser())).some(({ ads_id: id }) => id === orderId);
    await eventually('a new order is shown', isShown);
    await near.control('POST', `/orders/${orderId}/pause`);
    await eventually('a paused one is not', async () => !(await isShown()));
    await near.control('POST', `/orders/${orderId}/resume`);
    await eventually('a resumed one is', isShown);
  });

  test('a token replaced without a grace period is refused', async () => {
    const { token } = await knownPublisher();
    const rotated = await near.api(token, 'token/rotate', { grace_hours: 0 });
    assert.equal(rotated.status, 201);
    await eventually('the old one is refused', async () => (await status(far, token)) === 401);
    assert.equal(await status(far, rotated.body.api_token), 200);
  });

  test('a revoked token is refused', async () => {
    const { token, botId } = await knownPublisher();
    const at = systemClock.now();
    const [{ id: tokenId } = { id: 0 }] = await listTokens(database.db, botId);
    assert.ok(await database.db.transaction((tx) => revokeToken(tx, { botId, tokenId, at })));
    for (const sandbox of [near, far]) {
      await eventually('refused', async () => (await status(sandbox, token)) === 401);
    }
  });

  test('new settings of a bot apply, and a disabled bot is refused', async () => {
    const { token, botId, accountId } = await knownPublisher();
    for (let i = 0; i < 3; i++) await near.advertise();
    const shown = async (sandbox: Sandbox) => (await sandbox.getSponsors(token, freshUser())).length;
    await eventually('several are shown', async () => (await shown(far)) >= 3);
    await adjustBot(database.db, { botId, accountId, adjustment: { kind: 'max_sponsors', value: 1 } });
    for (const sandbox of [near, far]) await eventually('one is', async () => (await shown(sandbox)) === 1);
    await switchOwnBot(database.db, { botId, accountId, isActive: false });
    for (const sandbox of [near, far]) {
      await eventually('refused', async () => (await status(sandbox, token)) === 401);
    }
  });

  test('the bots of a banned account are refused until the ban is lifted', async () => {
    const { token, accountId } = await knownPublisher();
    await banAccount(operators, { operatorId: 1, accountId, reason: 'a test' });
    for (const sandbox of [near, far]) {
      await eventually('refused', async () => (await status(sandbox, token)) === 401);
    }
    await unbanAccount(operators, { operatorId: 1, accountId });
    for (const sandbox of [near, far]) {
      await eventually('let in', async () => (await status(sandbox, token)) === 200);
    }
  });

  test('a banned user gets no task', async () => {
    const { token } = await knownPublisher();
    await near.advertise();
    const user = freshUser();
    const isShown = async () => (await far.getSponsors(token, user)).length > 0;
    await eventually('tasks before', isShown);
    await banUserId(operators, { operatorId: 1, userId: user, reason: 'a test' });
    await eventually('none after', async () => !(await isShown()));
  });

  test('a changed link redirects to its new URL', async () => {
    const { token } = await knownPublisher();
    const link = await near.api(token, 'links', { url: 'https://example.com/before' });
    assert.equal(link.status, 201, JSON.stringify(link.body));
    const leadsTo = async () =>
      (await fetch(`${far.url}/l/${link.body.code}`, { redirect: 'manual' })).headers.get('location');
    assert.equal(await leadsTo(), 'https://example.com/before');
    const changed = await near.call(
      'PATCH',
      `/api/v1/links/${link.body.link_id}`,
      { url: 'https://example.com/after' },
      { auth: token },
    );
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await eventually('led there', async () => (await leadsTo()) === 'https://example.com/after');
  });
});
