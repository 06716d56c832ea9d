import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { ownerWith } from '../bot/balance-labels.ts';
import { freshUser } from '../support/sandbox.ts';
import { decisionsAbout, isTold, OPERATED, OPERATOR_ID, operatorOf, waitingPayout } from './operator-service.ts';
import { readable, readCsv, type Visitor } from './visitor.ts';

const service = useService(OPERATED);
const theOperator = operatorOf(service);
const path = '/console/operator/accounts';

describe('accounts in the console', () => {
  let operator: Visitor;
  before(async () => {
    operator = await theOperator();
  });
  const english = { language: 'en' };

  it('are found by number, Telegram id or the name of a bot, and listed newest first', async () => {
    const { sandbox } = service;
    const owner = await ownerWith(sandbox, english);
    const { bots } = await sandbox.control('GET', '/state');
    const bot = bots.find(({ bot_id: id }: { bot_id: number }) => id === owner.botId);
    const link = `href="${path}/${owner.accountId}">Owner &#60;b&#62;</a>`;
    for (const q of [String(owner.accountId), String(owner.person.id), `@${bot.bot_username}`]) {
      const found = await operator.get(`${path}?${new URLSearchParams({ q })}`);
      assert.ok(found.text.includes(link), q);
    }
    for (const q of ['@nobody_here_bot', "'; DROP TABLE accounts", '0']) {
      assert.match(
        readable((await operator.get(`${path}?${new URLSearchParams({ q })}`)).text),
        /Nothing was found/,
        q,
      );
    }
    assert.equal(
      readCsv((await operator.get(`${path}?format=csv&table=accounts`)).text)[1]?.[1],
      String(owner.accountId),
    );
    assert.equal((await operator.get(`${path}/999999`)).status, 404);
  });

  it('show balances, bots, orders and payouts of the owner', async () => {
    const { sandbox } = service;
    const owner = await waitingPayout(service);
    await sandbox.control('POST', '/accounts', { user_id: owner.person.id, deposit: 30 });
    const order = await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 10, quantity: 2 });
    const page = await operator.get(`${path}/${owner.accountId}`);
    assert.match(readable(page.text), /Available ₽10\.00.*In hold ₽0\.00.*Bots 1 .*Orders 1 .*active 1/);
    assert.match(page.text, new RegExp(`href="/console/operator/orders/${order.orderId}"`));
    assert.match(page.text, new RegExp(`href="/console/operator/payouts/${owner.payoutId}"`));
    for (const [table, id] of [
      ['bots', owner.botId],
      ['orders', order.orderId],
      ['payouts', owner.payoutId],
    ] as const) {
      const rows = readCsv((await operator.get(`${path}/${owner.accountId}?format=csv&table=${table}`)).text);
      assert.ok(rows[1]?.includes(String(id)), table);
    }
  });

  it('are credited once after a confirmation, even when the form is repeated; the form shows errors', async () => {
    const { sandbox } = service;
    const owner = await ownerWith(sandbox, english);
    const own = `${path}/${owner.accountId}`;
    const page = await operator.get(own);
    const key = /name="key" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    for (const [wrong, reason] of [
      [{ amount: 'lots', note: 'n' }, /does not look like an amount/],
      [{ amount: '99 000 000', note: 'n' }, /From ₽0\.01 to ₽10,000,000\.00/],
      [{ amount: '0', note: 'n' }, /From ₽0\.01/],
      [{ amount: '1', note: ' ' }, /at most 300 characters/],
    ] as const) {
      const answer = await operator.post(`${own}/credit`, { ...wrong, key, confirmed: 'yes' });
      assert.equal(answer.status, 422);
      assert.match(readable(answer.text), reason);
    }
    const fields = { amount: '1 000,50', note: 'receipt <7>', key };
    const question = await operator.post(`${own}/credit`, fields);
    assert.equal(question.status, 200);
    assert.match(readable(question.text), /Credit ₽1,000\.50\?.*Account no\. \d+ \(Owner <b>\)\. Note: receipt <7>/);
    assert.equal(await sandbox.kopecks('available', owner.accountId), 0, 'a question moves nothing');
    const confirmed = { amount: '1000.50', note: 'receipt <7>', key, confirmed: 'yes' };
    const answers = await Promise.all([1, 2, 3].map(() => operator.post(`${own}/credit`, confirmed)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303],
    );
    assert.match(readable((await operator.submit(`${own}/credit`, confirmed)).text), /credited already/);
    const other = await operator.submit(`${own}/credit`, { ...confirmed, amount: '7' });
    assert.match(readable(other.text), /sent with other data already/);
    const unnamed = await operator.submit(`${own}/credit`, { ...confirmed, key: '' });
    assert.match(readable(unnamed.text), /check what you have entered/);
    assert.equal(await sandbox.kopecks('available', owner.accountId), 100_050);
    assert.deepEqual(await decisionsAbout(service, `account:${owner.accountId}`), [
      {
        action: 'account.credited',
        operator: OPERATOR_ID,
        details: { amountKopecks: '100050', note: 'receipt <7>' },
      },
    ]);
    await isTold(sandbox, owner.person, /₽1,000\.50/);
    await sandbox.assertBalanced();
  });

  it('lose access when banned and regain it when unbanned; both are in the audit log', async () => {
    const { sandbox } = service;
    const owner = await ownerWith(sandbox, english, 100);
    const order = await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 10, quantity: 3 });
    const own = `${path}/${owner.accountId}`;
    const asks = async () => (await sandbox.api(owner.token, 'get-sponsors', { user_id: freshUser() })).status;
    assert.equal(await asks(), 200);
    assert.match(readable((await operator.get(`${own}/ban`)).text), /Ban the account\?/);
    assert.equal((await operator.post(`${own}/ban`, { text: '' })).status, 422);
    assert.equal(await asks(), 200, 'not without a reason');
    const banned = readable((await operator.submit(`${own}/ban`, { text: 'fraud' })).text);
    assert.match(banned, /is banned\. Orders paused: 1.*was banned on .*: fraud/);
    assert.equal(await asks(), 401);
    assert.equal((await sandbox.order(order.orderId)).status, 'paused');
    assert.match(readable((await operator.submit(`${own}/ban`, { text: 'again' })).text), /banned already/);

    assert.match(readable((await operator.get(`${own}/unban`)).text), /Lift the ban\?/);
    assert.equal(await asks(), 401);
    assert.match(readable((await operator.submit(`${own}/unban`)).text), /The ban is lifted/);
    assert.equal(await asks(), 200);
    assert.match(readable((await operator.submit(`${own}/unban`)).text), /is not banned/);
    assert.deepEqual(await decisionsAbout(service, `account:${owner.accountId}`), [
      { action: 'account.unbanned', operator: OPERATOR_ID, details: {} },
      { action: 'account.banned', operator: OPERATOR_ID, details: { reason: 'fraud' } },
    ]);
  });

  it('of operators cannot be banned', async () => {
    const own = `${path}/${operator.accountId}`;
    await operator.get(own);
    assert.match(readable((await operator.submit(`${own}/ban`, { text: 'a slip' })).text), /account of an operator/);
    assert.equal((await operator.get('/console/operator')).status, 200);
  });
});
