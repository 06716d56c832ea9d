import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Transaction } from '../../core/database.ts';
import { available, escrow, external, type LedgerAccount } from './account.ts';
import { latestTransfers, lockBalances, openAccounts, postTransfers, readBalances } from './store.ts';
import { TRANSFER_KINDS, type Transfer } from './transfer.ts';

const AT = new Date('2026-01-01T12:00:00Z');
const [OWNER, PURSE, OTHER, WORLD] = [available(1), escrow(1), available(2), external(1)];
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.db.transaction((tx) => openAccounts(tx, [OWNER, PURSE, OTHER, WORLD]));
});
after(() => database.drop());

/** Runs the work and returns its result with the rows of each of its queries. */
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
  kind: 'deposit',
  key,
  from: WORLD,
  to,
  amountKopecks,
});

const balanceOf = async (account: LedgerAccount): Promise<bigint> =>
  (await readBalances(database.db, [account]))(account);

test('a post without transfers or with zero amounts sends no query', async () => {
  for (const transfers of [[], [transfer('nothing', 0n)]]) {
    const { answer, rows } = await watch((tx) => postTransfers(tx, transfers, AT));
    assert.deepEqual([answer, rows], [new Set(), []]);
  }
});

test('the database returns keys only when some of them are not new', async () => {
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

test('of two transfers with the same key in one post, the first counts', async () => {
  const before = await balanceOf(OTHER);
  const twins = [transfer('twin', 3n, OTHER), transfer('twin', 4n, OTHER)];
  const { answer } = await watch((tx) => postTransfers(tx, twins, AT));
  assert.deepEqual(answer, new Set(['twin']));
  assert.equal(await balanceOf(OTHER), before + 3n);
});

test('only the requested balances are read, and they are locked in a fixed order', async () => {
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

test('the database accepts every kind of transfer and no other, and returns the references', async () => {
  const references = { orderId: 1, botId: 2, userId: 3, payoutId: 4, contestId: 5, place: 6 };
  const none = { orderId: null, botId: null, userId: null, payoutId: null, contestId: null, place: null };
  const transfers = TRANSFER_KINDS.map((kind, i) => ({
    ...transfer(`kind:${String(i).padStart(2, '0')}`, 1n, OTHER),
    kind,
    ...(i === 0 && references),
  }));
  await database.db.transaction((tx) => postTransfers(tx, transfers, AT));
  const stored = (await latestTransfers(database.db, transfers.length)).reverse();
  assert.deepEqual(
    stored.map(({ id: _, ...rest }) => rest),
    transfers.map((one, i) => ({ ...none, ...one, ...(i === 0 && references), createdAt: AT })),
  );
  const unknown = { ...transfer('kind:unknown', 1n), kind: 'gift' as Transfer['kind'] };
  await assert.rejects(
    database.db.transaction((tx) => postTransfers(tx, [unknown], AT)),
    /ledger_transfers_kind_check/,
  );
});
