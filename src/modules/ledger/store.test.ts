import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Transaction } from '../../core/database.ts';
import { available, escrow, external, type LedgerAccount, type Transfer } from './ledger.ts';
import { lockBalances, openAccounts, postTransfers, readBalances } from './store.ts';

const AT = new Date('2026-01-01T12:00:00Z');
const [OWNER, PURSE, OTHER, WORLD] = [available(1), escrow(1), available(2), external(1)];
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.db.transaction((tx) => openAccounts(tx, [OWNER, PURSE, OTHER, WORLD]));
});
after(() => database.drop());

/** Runs the work and returns its answer with the rows that each of its queries brought. */
async function watch<T>(work: (tx: Transaction) => Promise<T>): Promise<{ answer: T; rows: object[][] }> {
  const rows: object[][] = [];
  const answer = await database.db.transaction((tx) => {
    const query = async <Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]> => {
      const found = await tx.query<Row>(sql, params);
      rows.push(found);
      return found;
    };
    return work({ ...tx, query });
  });
  return { answer, rows };
}

const transfer = (key: string, amountKopecks: bigint, to: LedgerAccount = OWNER): Transfer => ({
  key,
  from: WORLD,
  to,
  amountKopecks,
});

const balanceOf = async (account: LedgerAccount): Promise<bigint> =>
  (await readBalances(database.db, [account]))(account);

test('nothing to move asks the database nothing', async () => {
  for (const transfers of [[], [transfer('nothing', 0n)]]) {
    const { answer, rows } = await watch((tx) => postTransfers(tx, transfers, AT));
    assert.deepEqual([answer, rows], [new Set(), []]);
  }
});

test('keys that were all new are not sent back; those of a repeat are', async () => {
  const batch = [transfer('b', 5n), transfer('a', 6n)];
  const fresh = await watch((tx) => postTransfers(tx, batch, AT));
  assert.deepEqual(fresh.answer, new Set(['a', 'b']));
  assert.deepEqual(fresh.rows, [[{ keys: null, moved: 2n, applied: 2n }]]);
  const partly = await watch((tx) => postTransfers(tx, [...batch, transfer('c', 7n)], AT));
  assert.deepEqual(partly.answer, new Set(['c']));
  const repeat = await watch((tx) => postTransfers(tx, batch, AT));
  assert.deepEqual([repeat.answer, repeat.rows], [new Set(), [[{ keys: [], moved: 0n, applied: 0n }]]]);
  assert.equal(await balanceOf(OWNER), 18n);
});

test('of two transfers with one key in a post the first counts', async () => {
  const before = await balanceOf(OTHER);
  const twins = [transfer('twin', 3n, OTHER), transfer('twin', 4n, OTHER)];
  const { answer } = await watch((tx) => postTransfers(tx, twins, AT));
  assert.deepEqual(answer, new Set(['twin']));
  assert.equal(await balanceOf(OTHER), before + 3n);
});

test('balances are read for the accounts that were asked about, and locked in one order', async () => {
  for (const read of [readBalances, lockBalances]) {
    const one = await watch((tx) => read(tx, [OWNER]));
    assert.equal(one.rows.flat().length, 1, read.name);
  }
  const { rows } = await watch((tx) => lockBalances(tx, [PURSE, OTHER, OWNER]));
  assert.deepEqual(rows.flat(), [
    { kind: 'available', owner_id: 1n, balance_kopecks: await balanceOf(OWNER) },
    { kind: 'available', owner_id: 2n, balance_kopecks: await balanceOf(OTHER) },
    { kind: 'escrow', owner_id: 1n, balance_kopecks: 0n },
  ]);
});
