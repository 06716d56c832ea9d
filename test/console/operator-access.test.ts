import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { OPERATED, operatorOf, waitingOrder, waitingPayout } from './operator-service.ts';
import { readable, readCsv, Visitor } from './visitor.ts';

const service = useService(OPERATED);
const theOperator = operatorOf(service);
const AREA = '/console/operator';

const PAYOUT_STEPS = ['approve', 'reject', 'sent', 'freeze', 'unfreeze'];
const ACCOUNT_STEPS = ['credit', 'ban', 'unban', 'debit', 'freeze', 'unfreeze'];

/** Returns the paths of all operator pages and actions, for objects that exist. */
const pagesOf = (ids: { orderId: number; payoutId: number; accountId: number }): string[] => [
  AREA,
  `${AREA}/orders`,
  `${AREA}/orders/${ids.orderId}`,
  `${AREA}/orders/${ids.orderId}/reject`,
  `${AREA}/payouts`,
  `${AREA}/payouts/${ids.payoutId}`,
  ...['pause', 'resume'].map((step) => `${AREA}/orders/${ids.orderId}/${step}`),
  ...PAYOUT_STEPS.map((step) => `${AREA}/payouts/${ids.payoutId}/${step}`),
  `${AREA}/accounts`,
  `${AREA}/accounts/${ids.accountId}`,
  ...ACCOUNT_STEPS.map((step) => `${AREA}/accounts/${ids.accountId}/${step}`),
  `${AREA}/debtors`,
  `${AREA}/reversals`,
  `${AREA}/contests`,
  `${AREA}/log`,
  `${AREA}/books`,
];
const actionsOf = (ids: { orderId: number; payoutId: number; accountId: number }): string[] => [
  `${AREA}/orders/${ids.orderId}/approve`,
  `${AREA}/orders/${ids.orderId}/reject`,
  ...['pause', 'resume'].map((step) => `${AREA}/orders/${ids.orderId}/${step}`),
  ...PAYOUT_STEPS.map((step) => `${AREA}/payouts/${ids.payoutId}/${step}`),
  ...ACCOUNT_STEPS.map((step) => `${AREA}/accounts/${ids.accountId}/${step}`),
  `${AREA}/reversals`,
  `${AREA}/books`,
];
const FIELDS = { text: 'x', amount: '5', note: 'x', reason: 'x', bot: '1', key: '0'.repeat(36), confirmed: 'yes' };

describe("the operators' pages", () => {
  let operator: Visitor;
  let ids: { orderId: number; payoutId: number; accountId: number };
  before(async () => {
    operator = await theOperator();
    const { orderId } = await waitingOrder(service.sandbox);
    const { payoutId, accountId } = await waitingPayout(service);
    ids = { orderId, payoutId, accountId };
  });
  const decided = async () => (await service.database.db.query('SELECT 1 FROM operator_actions')).length;

  it('all open for an operator and are in the menu', async () => {
    for (const path of pagesOf(ids)) assert.equal((await operator.get(path)).status, 200, path);
    const menu = (await operator.get('/console')).text;
    for (const part of [
      '',
      '/orders',
      '/payouts',
      '/accounts',
      '/debtors',
      '/reversals',
      '/contests',
      '/log',
      '/books',
    ]) {
      assert.match(menu, new RegExp(`href="${AREA}${part}"`));
    }
  });

  it('do not exist for other visitors: no menu entry, page, file or action', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const home = await grace.get('/console');
    assert.doesNotMatch(home.text, /console\/operator/);
    for (const path of pagesOf(ids)) {
      const seen = await grace.get(path);
      assert.equal(seen.status, 404, path);
      assert.doesNotMatch(seen.text, /(href|action)="\/console\/operator|Owner &#60;b/);
      assert.equal((await grace.get(`${path}?format=csv`)).status, 404);
    }
    for (const path of actionsOf(ids)) assert.equal((await grace.post(path, FIELDS)).status, 404, path);
    assert.equal(await decided(), 0);
    const signedOut = await Visitor.arrive(service.sandbox);
    for (const path of [AREA, `${AREA}/log`]) assert.equal((await signedOut.get(path)).status, 401);
  });

  it("refuse forms of another site, forms without a token and forms with another session's token", async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await grace.get('/console');
    for (const path of actionsOf(ids)) {
      for (const csrf of ['', 'x', grace.csrf]) {
        const body = new URLSearchParams({ ...FIELDS, csrf });
        assert.equal((await operator.send('POST', path, body)).status, 403, path);
      }
      const body = new URLSearchParams({ ...FIELDS, csrf: operator.csrf });
      assert.equal((await operator.send('POST', path, body, { 'sec-fetch-site': 'cross-site' })).status, 403, path);
    }
    assert.equal(await decided(), 0);
  });
});

describe('the records of operators', () => {
  let operator: Visitor;
  before(async () => {
    operator = await theOperator();
  });

  it('start with the queues and the latest decisions', async () => {
    const { orderId } = await waitingOrder(service.sandbox);
    const waits = async () => Number(/Orders to check (\d+)/.exec(readable((await operator.get(AREA)).text))?.[1]);
    const before = await waits();
    await operator.submit(`${AREA}/orders/${orderId}/approve`);
    assert.equal(await waits(), before - 1);
    assert.match(readable((await operator.get(AREA)).text), new RegExp(`Order approved order no\\. ${orderId}`));
  });

  it('list every decision, newest first, in pages, with a filter by kind for page and file', async () => {
    const { accountId } = await service.sandbox.publisher();
    const own = `${AREA}/accounts/${accountId}`;
    await operator.get(own);
    for (let i = 0; i < 13; i++) {
      await operator.post(`${own}/ban`, { text: `reason ${i}` });
      await operator.post(`${own}/unban`);
    }
    const page = await operator.get(`${AREA}/log`);
    assert.equal(page.text.split('<tr role="row">').length - 2, 25);
    const next = /href="([^"]+)" rel="next"/.exec(page.text)?.[1] ?? '';
    assert.match(readable((await operator.get(next)).text), /Account banned account no\. \d+ .{1,60} reason 0/);
    const banned = await operator.get(`${AREA}/log?action=account.banned`);
    assert.match(readable(banned.text), /reason 12/);
    assert.doesNotMatch(readable(banned.text.slice(banned.text.indexOf('<tbody'))), /Ban of account lifted/);
    const rows = readCsv((await operator.get(`${AREA}/log?action=account.banned&format=csv&table=log`)).text);
    assert.deepEqual(
      rows.slice(1).map((row) => row.slice(2)),
      Array.from({ length: 13 }, (_, i) => ['Account banned', `account no. ${accountId}`, `reason ${12 - i}`]),
    );
    assert.equal(
      readCsv((await operator.get(`${AREA}/log?action=nonsense&format=csv&table=log`)).text).length - 1,
      (await service.database.db.query('SELECT 1 FROM operator_actions')).length,
    );
  });

  it('find a rare kind of decision behind many others', async () => {
    const { accountId } = await service.sandbox.publisher();
    await operator.get(AREA);
    await operator.post(`${AREA}/accounts/${accountId}/ban`, { text: 'the one before the many' });
    await service.database.db.query(
      `INSERT INTO operator_actions (operator_id, action, subject, details, at)
       SELECT 1, 'user.banned', 'user:' || n, '{}', now() FROM generate_series(1, 11000) n`,
    );
    const page = await operator.get(`${AREA}/log?action=account.banned`);
    assert.match(readable(page.text), /the one before the many/);
    const many = await operator.get(`${AREA}/log?action=user.banned`);
    const next = (/href="([^"]+)" rel="next"/.exec(many.text)?.[1] ?? '').replaceAll('&#38;', '&');
    const onwards = await operator.get(next);
    assert.match(
      readable(onwards.text),
      /user no\. 10975 /,
      'the next page goes on behind the first, with the same kind',
    );
    assert.doesNotMatch(readable(onwards.text.slice(onwards.text.indexOf('<tbody'))), /account no\./);
  });

  it('show whether the ledger is balanced and which accounts differ', async () => {
    const { sandbox, database } = service;
    const { accountId } = await sandbox.publisher({ deposit: 50 });
    await operator.get(`${AREA}/books`);
    assert.match(readable((await operator.post(`${AREA}/books`)).text), /The books are balanced: \d+ ledger accounts/);
    const falsify = (kopecks: number) =>
      database.db.query(
        "UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + $2 WHERE kind = 'available' AND owner_id = $1",
        [accountId, kopecks],
      );
    await falsify(7);
    try {
      const wrong = readable((await operator.post(`${AREA}/books`)).text);
      assert.match(wrong, /not balanced, faults: 1\./);
      assert.match(wrong, new RegExp(`available ${accountId} ₽50\\.07 ₽50\\.00 ₽0\\.07`));
      const rows = readCsv((await operator.get(`${AREA}/books?format=csv&table=differences`)).text);
      assert.deepEqual(rows.slice(1), [['available', String(accountId), '50.07', '50.00', '0.07']]);
    } finally {
      await falsify(-7);
    }
  });

  it("show the platform's figures for a week, a month and all time", async () => {
    const { sandbox } = service;
    const figures = async () => {
      const rows = readCsv((await operator.get(`${AREA}/books?format=csv`)).text);
      return new Map(rows.slice(1).map(([name = '', ...values]) => [name, values.map(Number)]));
    };
    const before = await figures();
    const { token } = await sandbox.publisher({ max_sponsors: 1 });
    const order = await sandbox.advertise({ price_per_sub: 10, quantity: 5 });
    await sandbox.subscribe(token, order, 77_001);
    const after = await figures();
    const grown = (name: string) => after.get(name)?.map((value, i) => value - (before.get(name)?.[i] ?? 0));
    assert.deepEqual(grown('Subscriptions'), [1, 1, 1]);
    assert.deepEqual(grown('Turnover'), [10, 10, 10]);
    assert.deepEqual(grown('To publishers'), [7, 7, 7]);
    assert.deepEqual(grown('To the platform'), [3, 3, 3]);
  });
});
