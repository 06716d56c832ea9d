import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService();

async function publisher() {
  const grace = await Visitor.signedIn(service.sandbox);
  const bot = await service.sandbox.control('POST', '/bots', { account_id: grace.accountId, beta: true });
  const path = `/console/bots/${bot.bot_id}`;
  await grace.get(path);
  return { grace, path, token: bot.api_token as string };
}

const balanceStatus = async (token: string): Promise<number> =>
  (await service.sandbox.api(token, 'get-balance', {})).status;

it('a new token is shown once and works at once; the old one works for the chosen time', async () => {
  const { grace, path, token: old } = await publisher();
  const ask = await grace.get(`${path}/new-token`);
  const key = /name="key" value="([^"]+)"/.exec(ask.text)?.[1] ?? '';
  const answer = await grace.post(`${path}/new-token`, { grace: '1', key });
  const stored = await service.database.db.query<{ flash: Buffer }>(
    'SELECT flash FROM console_sessions WHERE flash IS NOT NULL',
  );
  const page = await grace.get(answer.headers.get('location') ?? '');
  const token = /at_[\w-]{43}/.exec(page.text)?.[0] ?? '';
  assert.match(token, /^at_/);
  assert.ok(stored.length === 1 && !stored[0]?.flash.includes(token), 'sealed while it waited for its page');
  assert.doesNotMatch((await grace.get(path)).text, /at_[\w-]{43}/, 'never again');
  assert.deepEqual([await balanceStatus(token), await balanceStatus(old)], [200, 200]);
  const again = await grace.submit(`${path}/new-token`, { grace: '1', key });
  assert.match(readable(again.text), /has made its token already/);
  await service.sandbox.advance(3_601);
  assert.deepEqual([await balanceStatus(token), await balanceStatus(old)], [200, 401]);
});

it('a single token can be ended after a confirmation', async () => {
  const { grace, path, token } = await publisher();
  const end = /href="([^"]+\/tokens\/\d+\/end)"/.exec((await grace.get(path)).text)?.[1] ?? '';
  assert.match(readable((await grace.get(end)).text), /stops working at once/);
  assert.equal(await balanceStatus(token), 200, 'asking changes nothing');
  assert.match(readable((await grace.submit(end)).text), /The token has ended/);
  assert.equal(await balanceStatus(token), 401);
  assert.match(readable((await grace.submit(end)).text), /not valid any more/);
});

it('the settings of a bot change together or not at all', async () => {
  const { grace, path, token } = await publisher();
  for (let order = 0; order < 3; order++) await service.sandbox.advertise();
  const wrong = await grace.submit(`${path}/settings`, {
    max_sponsors: '2',
    round_minutes: '1',
    types: ['channel', 'bot'],
  });
  assert.match(readable(wrong.text), /Whole numbers are needed/);
  assert.equal((await service.sandbox.getSponsors(token, freshUser())).length, 3);
  const saved = await grace.submit(`${path}/settings`, { max_sponsors: '2', round_minutes: '10', types: 'channel' });
  assert.match(readable(saved.text), /Saved/);
  assert.match(saved.text, /name="max_sponsors" type="number" value="2"/);
  assert.match(saved.text, /name="types" value="channel" checked/);
  assert.doesNotMatch(saved.text, /name="types" value="bot" checked/);
  assert.equal((await service.sandbox.getSponsors(token, freshUser())).length, 2);
});

it('a bot does not show a hidden order until it is included again', async () => {
  const { grace, path, token } = await publisher();
  const { orderId } = await service.sandbox.advertise();
  await grace.submit(`${path}/exclusions`, { order: String(orderId), excluded: 'yes' });
  assert.deepEqual(await service.sandbox.getSponsors(token, freshUser()), []);
  await grace.submit(`${path}/exclusions`, { order: String(orderId), excluded: 'no' });
  assert.equal((await service.sandbox.getSponsors(token, freshUser())).length, 1);
});

it('an unknown ads_id gets 404, or 200 with a warning while the owner has switched that on', async () => {
  const { grace, path, token } = await publisher();
  const confirm = () =>
    service.sandbox.api(token, 'confirm-subscription', { user_id: freshUser(), ads_id: 999_999_999 });
  const settings = { max_sponsors: '5', round_minutes: '60', types: ['channel', 'bot'] };
  assert.equal((await confirm()).status, 404);
  const on = await grace.submit(`${path}/settings`, { ...settings, warns_of_unknown_orders: 'yes' });
  assert.match(on.text, /name="warns_of_unknown_orders" value="yes" checked/);
  const { status, body } = await confirm();
  assert.deepEqual([status, body.status, body.code], [200, 'warning', 'order_not_found']);
  await grace.submit(`${path}/settings`, settings);
  assert.equal((await confirm()).status, 404);
});

it("gate messages need the bot's own Telegram token, and the page says why one was not sent", async () => {
  const { grace } = await publisher();
  const { sandbox } = service;
  const username = 'console_gate_bot';
  const { bot_id, api_token: key } = await sandbox.control('POST', '/bots', {
    account_id: grace.accountId,
    username,
  });
  const { token } = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Gate', username });
  const { token: foreign } = await sandbox.control('POST', '/chats', {
    type: 'bot',
    title: 'Other',
    username: 'console_other_bot',
  });
  const path = `/console/bots/${bot_id}`;
  await sandbox.advertise();
  const check = async () => (await sandbox.call('POST', '/compat/flyer/check', { key, user_id: freshUser() })).body;

  assert.match(readable((await grace.get(path)).text), /There is no token: such requests let users in/);
  assert.equal((await check()).skip, true);
  assert.match(readable((await grace.get(path)).text), /not sent, [^:]+:\d+: We do not have the token of the bot/);

  for (const [wrong, why] of [
    ['nonsense', /./],
    [`1:${'A'.repeat(35)}`, /./],
    [foreign, /the token of another bot: @console_other_bot/],
  ] as const) {
    const page = readable((await grace.submit(`${path}/telegram-token`, { token: wrong })).text);
    assert.match(page, why);
    assert.match(page, /There is no token/);
  }
  const saved = await grace.submit(`${path}/telegram-token`, { token });
  assert.match(readable(saved.text), /The token is stored.*We have the token, stored encrypted/s);
  assert.ok(!saved.text.includes(token));
  assert.equal((await check()).skip, true);
  assert.match(readable((await grace.get(path)).text), /The user has not started the bot or has blocked it/);

  assert.match(readable((await grace.get(`${path}/telegram-token/delete`)).text), /unpaid/);
  assert.match(readable((await grace.submit(`${path}/telegram-token/delete`)).text), /There is no token/);
});

it('a bot is switched off after a confirmation, and on again', async () => {
  const { grace, path, token } = await publisher();
  assert.match(readable((await grace.get(`${path}/switch-off`)).text), /All its tokens get 401/);
  await grace.submit(`${path}/switch`, { active: 'no' });
  assert.equal(await balanceStatus(token), 401);
  await grace.submit(`${path}/switch`, { active: 'yes' });
  assert.equal(await balanceStatus(token), 200);
});

it('“Why no tasks?” names the reason for each order, based on the profile that the bot would send', async () => {
  const { grace, path } = await publisher();
  const user = freshUser();
  await service.sandbox.advertise({ filters: { premium: true } });
  const plain = readable((await grace.get(`${path}/explain?user_id=${user}`)).text);
  assert.match(plain, /No order fits this user.*Telegram Premium a filter of the advertiser 1/s);
  const premium = readable((await grace.get(`${path}/explain?user_id=${user}&is_premium=yes`)).text);
  assert.match(premium, /There are orders that fit.*Orders that fit 1/s);
  assert.match(readable((await grace.get(`${path}/explain?user_id=abc`)).text), /That is no id/);
});
