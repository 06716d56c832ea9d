import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { agreeOn, createSharedBudgets, leastShare } from './check-shares.ts';
import { createDatabaseShares, readShare, type ShareRow } from './share-store.ts';

fc.configureGlobal({ seed: 1 });

const PER_SECOND = 25;
const MANAGEMENT = 7;
const log = { warn: () => undefined };

/** Processes that agree one after the other, as the lock of the store makes them. */
function fleet(perSecond = PER_SECOND) {
  let nowMs = 1_000_000;
  let rows: ShareRow[] = [];
  return {
    pass(ms: number): void {
      nowMs += ms;
    },
    agree(processId: string, wanted: number): number {
      const row = agreeOn({ perSecond, wanted, processId, rows, nowMs });
      rows = [...rows.filter((each) => each.processId !== processId), row];
      return row.share;
    },
    /** The calls that all processes together may have made in the last second. */
    possible: () =>
      rows.filter(({ seenAtMs }) => nowMs - seenAtMs < 3_000).reduce((sum, row) => sum + readShare(row, nowMs), 0),
  };
}

describe('the agreement', () => {
  test('gives the whole budget to a process that is alone', () => {
    const { agree } = fleet();
    assert.equal(agree('a', 0), PER_SECOND);
    assert.equal(agree('a', 100), PER_SECOND);
  });

  test('gives a new process a little at once, and its part when the others have let go of it', () => {
    const { agree, pass } = fleet();
    agree('a', 25);
    assert.equal(agree('b', 25), leastShare(PER_SECOND, 2));
    pass(1_000);
    assert.equal(agree('a', 25), 13);
    assert.equal(agree('b', 25), leastShare(PER_SECOND, 2), 'the calls of the last second still count');
    pass(1_300);
    agree('a', 25);
    assert.equal(agree('b', 25), 12);
  });

  test('follows what the processes want', () => {
    const { agree, pass } = fleet();
    for (let second = 0; second < 10; second++) {
      agree('a', 25);
      agree('b', 0);
      pass(1_000);
    }
    assert.equal(agree('a', 25), 23);
    assert.equal(agree('b', 0), 2);
  });

  test('returns the share of a process that is silent', () => {
    const { agree, pass } = fleet();
    for (let second = 0; second < 5; second++) {
      agree('a', 25);
      agree('b', 25);
      pass(1_000);
    }
    pass(3_000);
    assert.equal(agree('a', 25), PER_SECOND);
  });

  test('never allows more calls in a second than the budget and the least share of those that have just started', () => {
    const step = fc.record({
      process: fc.constantFrom('a', 'b', 'c', 'd'),
      wanted: fc.integer({ min: 0, max: 40 }),
      pause: fc.integer({ min: 0, max: 1_200 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { agree, pass, possible } = fleet();
        for (const { process, wanted, pause } of steps) {
          agree(process, wanted);
          assert.ok(possible() <= PER_SECOND + 4 * leastShare(PER_SECOND, 1), `${possible()} calls`);
          pass(pause);
        }
      }),
    );
  });

  test('steady processes use the whole budget and no more', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 6 }), (wants) => {
        const { agree, pass, possible } = fleet();
        for (let second = 0; second < 12; second++) {
          for (const [index, wanted] of wants.entries()) agree(String(index), wanted);
          pass(1_000);
        }
        assert.ok(possible() <= PER_SECOND, `${possible()} calls`);
        assert.ok(possible() >= PER_SECOND - 2, `only ${possible()} calls`);
      }),
    );
  });
});

describe('processes on one PostgreSQL', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.db.query('TRUNCATE check_shares');
  });
  after(() => database.drop());

  const open = () =>
    createSharedBudgets({
      store: createDatabaseShares(database.db),
      perSecond: PER_SECOND,
      managementBotId: MANAGEMENT,
      log,
      agreeEveryMs: 50,
    });
  const sharesOf = async (botId: number): Promise<number[]> => {
    const rows = await database.db.query<{ share: number }>(
      'SELECT share FROM check_shares WHERE bot_id = $1 ORDER BY share',
      [botId],
    );
    return rows.map(({ share }) => share);
  };
  /** Takes as many calls as the process gets at once. */
  const burst = (budget: { tryTake(party: number): boolean }): number =>
    Array.from({ length: 100 }, (_, party) => budget.tryTake(party + 1)).filter(Boolean).length;

  test('two that start at the same moment divide one budget, and the other gets it all when one stops', async () => {
    const [first, second] = [open(), open()];
    await Promise.all([first.start(), second.start()]);
    await eventually('both have a part of the budget', async () => {
      const shares = await sharesOf(MANAGEMENT);
      return shares.length === 2 && shares[0] === 12 && shares[1] === 13;
    });
    await second.stop();
    await eventually('the first has the whole budget', async () => (await sharesOf(MANAGEMENT)).join() === '25');
    await first.stop();
    assert.deepEqual(await sharesOf(MANAGEMENT), []);
  });

  test('a bot that only one process uses has its whole budget there, without a wait', async () => {
    const only = open();
    await only.start();
    assert.equal(burst(only.of(99)), PER_SECOND);
    await only.stop();
  });

  test('a process with company starts with the least share of a bot that it has not used yet', async () => {
    const [first, second] = [open(), open()];
    await first.start();
    await second.start();
    assert.equal(burst(second.of(99)), leastShare(PER_SECOND, 2));
    await eventually('the other process uses nothing of it', async () => (await sharesOf(99)).join() === '25');
    await Promise.all([first.stop(), second.stop()]);
  });

  test('without the store every process keeps its share', async () => {
    const lines: string[] = [];
    let isAway = false;
    const inDatabase = createDatabaseShares(database.db);
    const budgets = createSharedBudgets({
      store: {
        ...inDatabase,
        exchange: (...given) => (isAway ? Promise.reject(new Error('away')) : inDatabase.exchange(...given)),
      },
      perSecond: PER_SECOND,
      managementBotId: MANAGEMENT,
      log: { warn: (_, message) => void lines.push(message) },
      agreeEveryMs: 20,
    });
    await budgets.start();
    isAway = true;
    await eventually('the outage is logged', async () => lines.length > 0);
    assert.equal(burst(budgets.of(MANAGEMENT)), PER_SECOND);
    await budgets.stop();
  });
});
