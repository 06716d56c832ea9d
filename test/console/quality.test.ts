import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { setQuality } from '../support/quality.ts';
import { freshUser } from '../support/sandbox.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService();

it('a publisher sees the quality of a bot with reasons and advice; a new bot shows nothing about it', async () => {
  const grace = await Visitor.signedIn(service.sandbox);
  const { bot_id: botId } = await service.sandbox.control('POST', '/bots', { account_id: grace.accountId });
  const path = `/console/bots/${botId}`;
  assert.doesNotMatch(readable((await grace.get(path)).text), /Quality of the source/);
  const reason = { code: 'early_leaves', points: 50, figures: { left: 80, of: 100, market: 10 } };
  await setQuality(service, botId, { level: 'watched', score: 50, reasons: [reason] });
  const page = readable((await grace.get(path)).text);
  assert.match(page, /Quality of the source/);
  assert.match(page, /50 of 100, watched/);
  assert.match(page, /80 of 100 subscribers left .*\(80 %; usual: 10 %\)/);
  assert.match(page, /Tell users that leaving takes the reward back/);
});

it('an advertiser sees the quality of each source', async () => {
  const { sandbox } = service;
  const ada = await Visitor.signedIn(sandbox, { deposit: 1_000 });
  const [scored, fresh] = [await sandbox.publisher(), await sandbox.publisher()];
  const order = await sandbox.advertise({ account_id: ada.accountId });
  await sandbox.subscribe(scored.token, order, freshUser());
  await sandbox.subscribe(fresh.token, order, freshUser());
  await setQuality(service, scored.botId, { level: 'good', score: 88 });
  const page = readable((await ada.get(`/console/orders/${order.orderId}`)).text);
  assert.match(page, /88 of 100, good/);
});

describe('while scoring is off', () => {
  const unscored = useService({ QUALITY_SCORING: 'off' });

  it('the pages of a bot show no level, because none applies', async () => {
    const grace = await Visitor.signedIn(unscored.sandbox);
    const { bot_id: botId } = await unscored.sandbox.control('POST', '/bots', { account_id: grace.accountId });
    await setQuality(unscored, botId, { level: 'low', score: 10 });
    const page = readable((await grace.get(`/console/bots/${botId}`)).text);
    assert.match(page, /API tokens/);
    assert.doesNotMatch(page, /Quality of the source/);
  });
});
