import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Visitor } from './visitor.ts';

const service = useService();

/** Creates one object of each kind through the owner's pages. */
async function estate(): Promise<{ owner: Visitor; pages: string[]; actions: [string, Record<string, string>][] }> {
  const { sandbox } = service;
  const owner = await Visitor.signedIn(sandbox, { deposit: 1_000 });
  const { bot_id: botId } = await sandbox.control('POST', '/bots', { account_id: owner.accountId });
  const { orderId } = await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 10, quantity: 10 });
  await owner.get('/console/links');
  const link = await owner.post('/console/links', { url: 'https://example.com/', name: 'mine' });
  const webhook = await owner.post('/console/webhooks', {
    url: `${sandbox.url}/sandbox/inbox/a`,
    events: 'payout.sent',
  });
  const [linkPath, webhookPath] = [link, webhook].map(({ headers }) => headers.get('location') ?? '');
  const bot = `/console/bots/${botId}`;
  const order = `/console/orders/${orderId}`;
  const tokenId = /tokens\/(\d+)\/end/.exec((await owner.get(bot)).text)?.[1];
  return {
    owner,
    pages: [
      bot,
      `${bot}/explain?user_id=1`,
      `${bot}/new-token`,
      `${bot}/switch-off`,
      `${bot}/telegram-token/delete`,
      `${bot}/tokens/${tokenId}/end`,
      order,
      `${order}/filters`,
      `${order}/cancel`,
      `${linkPath}`,
      `${linkPath}/delete`,
      `${webhookPath}`,
      `${webhookPath}/rotate`,
      `${webhookPath}/delete`,
    ],
    actions: [
      [`${bot}/settings`, { max_sponsors: '7', round_minutes: '60', types: 'channel' }],
      [`${bot}/exclusions`, { order: '1', excluded: 'yes' }],
      [`${bot}/switch`, { active: 'no' }],
      [`${bot}/telegram-token`, { token: `123456789:${'A'.repeat(35)}` }],
      [`${bot}/telegram-token/delete`, {}],
      [`${bot}/new-token`, { grace: '0', key: 'stolen' }],
      [`${bot}/tokens/${tokenId}/end`, {}],
      [`${order}/pause`, {}],
      [`${order}/resume`, {}],
      [`${order}/cancel`, {}],
      [`${order}/top-up`, { quantity: '1', key: 'stolen' }],
      [`${order}/sources/${botId}`, { excluded: 'yes' }],
      [`${order}/filters`, { premium: 'yes' }],
      [`${order}/filters/estimate`, { premium: 'yes' }],
      [`${linkPath}`, { url: 'https://evil.example/' }],
      [`${linkPath}/delete`, {}],
      [`${webhookPath}/test`, {}],
      [`${webhookPath}/enable`, {}],
      [`${webhookPath}/replay`, { since: '2020-01-01T00:00' }],
      [`${webhookPath}/rotate`, {}],
      [`${webhookPath}/delete`, {}],
    ],
  };
}

it('pages and forms for objects of another account return 404 and change nothing', async () => {
  const { owner, pages, actions } = await estate();
  const stranger = await Visitor.signedIn(service.sandbox, { deposit: 1_000 });
  const tables = ['bots', 'orders', 'order_progress', 'api_tokens', 'links', 'webhook_endpoints', 'ledger_transfers'];
  const everything = async (): Promise<string> => {
    const rows: unknown[] = [];
    for (const table of tables) {
      rows.push(await service.database.db.query(`SELECT t::text FROM ${table} t ORDER BY 1`));
    }
    return JSON.stringify(rows);
  };
  for (const path of pages) {
    assert.equal((await owner.get(path)).status, 200, `${path} is the owner's`);
    const answer = await stranger.get(path);
    assert.equal(answer.status, 404, path);
  }
  const before = await everything();
  for (const [path, fields] of actions) {
    const answer = await stranger.post(path, fields);
    assert.equal(answer.status, 404, path);
    assert.equal((await stranger.elsewhere().post(path, fields)).status, 401, `${path}, not signed in`);
  }
  assert.equal(await everything(), before);
});

it('a visitor cannot end or list the sessions of another account', async () => {
  const owner = await Visitor.signedIn(service.sandbox);
  const stranger = await Visitor.signedIn(service.sandbox);
  const id = /sessions\/(\d+)\/end"/.exec((await owner.get('/console/sessions')).text)?.[1];
  assert.ok(id !== undefined);
  assert.ok(!(await stranger.get('/console/sessions')).text.includes(`/sessions/${id}/end`));
  await stranger.submit(`/console/sessions/${id}/end`);
  assert.equal((await owner.get('/console')).status, 200);
});
