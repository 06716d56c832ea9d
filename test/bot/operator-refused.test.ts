import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Person } from '../support/person.ts';
import { freshUser, type Sandbox } from '../support/sandbox.ts';
import { startOn } from '../support/service.ts';
import { dataBehind, lastStep, ownerWith, payoutsOf, read } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';
import { LANGUAGES, noticeOf, OPERATOR_IDS, operatorAt } from './operator-labels.ts';

/** Callback data of operator buttons that another person could forge. */
const FORGERIES = [
  'operator',
  'op.mods',
  'op.mod:1',
  'op.ok:1',
  'op.pays',
  'op.pay:1',
  'op.deps',
  'op.dep:1',
  'op.depok:1',
  'op.depsum:1',
  'op.accs',
  'op.a:1',
  'op.credit:1',
  'op.cyes:abcdefgh',
  'op.beta',
  'op.bot:1',
  'op.grant:1',
  'op.user',
  'op.u:1',
  'op.fig',
  'op.books',
  'op.log',
  'op.cons',
  'op.con:1',
  'op.newcon',
  'op.cfrom:now',
  'op.cto:7',
  'op.mkcon:abcdefgh',
  'op.casts',
  'op.cast:1',
  'op.newcast',
  'op.same',
  'op.send:abcdefgh',
  ...['approve', 'decline', 'unban', 'unuser', 'cancel', 'stop', 'beta'].flatMap((what) => [
    `op.confirm:${what}:1`,
    `op.yes:${what}:1`,
  ]),
  ...['order', 'payout', 'sent', 'account', 'user'].flatMap((what) => [`op.reason:${what}:1`, `op.do:${what}:1`]),
];

describe('operator access', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  const actions = async (): Promise<number> => (await database.db.query('SELECT 1 FROM operator_actions')).length;
  const again = async (sandbox: Sandbox, { id }: Person): Promise<Person> =>
    new Person(sandbox, id, (await sandbox.control('GET', '/state')).management_bot);

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`forged operator buttons do nothing for other people (${labels.language})`, async () => {
      const service = await startOn(database.url, { OPERATOR_IDS });
      try {
        const { person, accountId } = await ownerWith(service.sandbox, labels, 500);
        const before = await actions();
        const payouts = payoutsOf(database.db);
        const request = { accountId, amountKopecks: 10_000n, method: 'manual', destination: 'card' } as const;
        const requested = await payouts.request({ ...request, key: 'mine' });
        assert.equal(requested.kind, 'requested');
        const payoutId = requested.kind === 'requested' ? requested.payout.id : 0;
        for (const data of [...FORGERIES, `op.yes:approve:${payoutId}`, `op.credit:${accountId}`]) {
          await person.forge(data);
          assert.match(await noticeOf(person), labels.stale, data);
          assert.equal(await person.isWaiting(), false, data);
        }
        await person.say('1000'); // no question is open
        assert.equal((await payouts.find(payoutId))?.status, 'requested');
        assert.equal(await service.sandbox.kopecks('available', accountId), 40_000);
        assert.equal(await actions(), before, 'nothing was decided');
      } finally {
        await service.stop();
      }
    });

    it(`a former operator cannot finish a decision (${labels.language})`, async () => {
      const first = await startOn(database.url, { OPERATOR_IDS });
      const victim = await ownerWith(first.sandbox, labels);
      const operator = await operatorAt(first.sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(victim.accountId));
      await operator.press(labels.ban);
      const question = await lastStep(first, operator.say('fraud'));
      const second = await startOn(database.url, { OPERATOR_IDS: '1' });
      try {
        const former = await again(second.sandbox, operator);
        await former.forge(dataBehind(question, labels.yes));
        assert.match(await noticeOf(former), labels.stale);
        const asks = await second.sandbox.api(victim.token, 'get-sponsors', { user_id: freshUser() });
        assert.equal(asks.status, 200, 'the account is not banned');
      } finally {
        await second.stop();
      }
    });

    it(`an operator continues a wizard after a restart (${labels.language})`, async () => {
      const first = await startOn(database.url, { OPERATOR_IDS });
      const owner = await ownerWith(first.sandbox, labels);
      const operator = await operatorAt(first.sandbox, labels);
      await operator.go(labels.accounts);
      await operator.say(String(owner.accountId));
      await operator.press(labels.creditMoney);
      await operator.say('123');
      await first.stop();

      const second = await startOn(database.url, { OPERATOR_IDS });
      const summary = await lastStep(second, (await again(second.sandbox, operator)).say('a note'));
      assert.ok(read(summary).includes('a note'), read(summary));

      const third = await startOn(database.url, { OPERATOR_IDS });
      try {
        await (await again(third.sandbox, operator)).press(labels.yes);
        assert.equal(await third.sandbox.kopecks('available', owner.accountId), 12_300);
        const wizard = await again(third.sandbox, operator);
        await wizard.say('/start');
        await wizard.go(labels.operator, labels.contests, labels.newContest);
        await wizard.say('Race');
      } finally {
        await third.stop();
      }
      const fourth = await startOn(database.url, { OPERATOR_IDS });
      try {
        const wizard = await again(fourth.sandbox, operator);
        await wizard.go(labels.now, labels.week);
        assert.match(read(await wizard.say('5000')), /Race/);
      } finally {
        await fourth.stop();
      }
    });
  }
});
