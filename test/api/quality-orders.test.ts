import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setQuality } from '../support/quality.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

async function create(order: Record<string, unknown>) {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const { link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
  const body = { link, resource_type: 'channel', title: 'News', price_per_sub: 10, quantity: 5, ...order };
  return sandbox.call('POST', '/api/v1/orders', body, { auth: token });
}

test('an order with a least quality is shown by good enough bots and by bots without a score, at the same charge', async () => {
  const { sandbox } = service;
  const [good, poor, fresh] = [await sandbox.publisher(), await sandbox.publisher(), await sandbox.publisher()];
  await setQuality(service, good.botId, { level: 'good', score: 60 });
  await setQuality(service, poor.botId, { level: 'watched', score: 59 });
  const { status, body } = await create({ min_quality: 60 });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.min_quality, body.charge_per_sub], [60, 10]);
  const shown = async (token: string): Promise<number> => (await sandbox.getSponsors(token, freshUser())).length;
  assert.deepEqual([await shown(good.token), await shown(poor.token), await shown(fresh.token)], [1, 0, 1]);
});

test('an advertiser can leave out bots without a score', async () => {
  const { sandbox } = service;
  const [scored, fresh] = [await sandbox.publisher(), await sandbox.publisher()];
  await setQuality(service, scored.botId, { level: 'good', score: 90 });
  const { body } = await create({ scored_sources_only: true });
  assert.equal(body.scored_sources_only, true);
  assert.equal((await sandbox.getSponsors(scored.token, freshUser())).length, 1);
  assert.equal((await sandbox.getSponsors(fresh.token, freshUser())).length, 0);
});

test('a least quality outside of 1 to 100 is refused, and an order without one says nothing about it', async () => {
  for (const min_quality of [0, 101, 1.5, '60']) {
    const { status, body } = await create({ min_quality });
    assert.equal(status, 422, `${min_quality}: ${JSON.stringify(body)}`);
  }
  const { body } = await create({});
  assert.equal('min_quality' in body || 'scored_sources_only' in body, false);
});
