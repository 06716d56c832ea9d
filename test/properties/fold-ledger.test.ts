import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import {
  available,
  escrow,
  external,
  foldTransfers,
  hold,
  type LedgerAccount,
  openAccounts,
  platform,
  postTransfers,
  TRANSFER_DAYS,
  verifyLedger,
} from '../../src/modules/ledger/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TestClock } from '../support/money-desk.ts';
import { propertyRuns, propertySeed } from '../support/property-runs.ts';

const DAY_SECONDS = 24 * 60 * 60;
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const clock = new TestClock();
const nameOf = ({ kind, ownerId }: LedgerAccount): string => `${kind}:${ownerId}`;

let lastOwner = 0;
async function freshAccounts(): Promise<readonly LedgerAccount[]> {
  const owner = ++lastOwner;
  const accounts = [external(owner), available(owner), hold(owner), escrow(owner), platform(owner)];
  await database.db.transaction((tx) => openAccounts(tx, accounts));
  return accounts;
}

/** A posted transfer. The model of the ledger is the list of all posted transfers, without folding. */
interface Posted {
  readonly key: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly kopecks: bigint;
  readonly at: Date;
}
const model: Posted[] = [];

async function post(transfer: Posted): Promise<void> {
  const { key, from, to, kopecks, at } = transfer;
  try {
    const posted = await database.db.transaction((tx) =>
      postTransfers(tx, [{ kind: 'deposit' as const, key, from, to, amountKopecks: kopecks }], at),
    );
    assert.deepEqual([...posted], [key]);
    model.push(transfer);
  } catch (error) {
    assert.ok(error instanceof pg.DatabaseError && error.code === '23514', String(error)); // an overdraft of hold or escrow
  }
}

/** Returns the balance of every account according to the model. */
function expectedBalances(): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  const add = (account: LedgerAccount, kopecks: bigint) =>
    balances.set(nameOf(account), (balances.get(nameOf(account)) ?? 0n) + kopecks);
  for (const { from, to, kopecks } of model) {
    add(from, -kopecks);
    add(to, kopecks);
  }
  return balances;
}

const limit = (): Date => new Date(clock.now().getTime() - TRANSFER_DAYS * DAY_SECONDS * 1000);

/** Asserts that the verification finds no fault and that balances and folded sums equal the model. */
async function assertBooks(): Promise<{ readonly left: readonly string[]; readonly carried: number }> {
  const { db } = database;
  const report = await verifyLedger(db);
  assert.deepEqual({ faults: report.faults, total: report.totalKopecks }, { faults: [], total: 0n });
  const expected = expectedBalances();
  for (const account of report.accounts) {
    const balance = expected.get(nameOf(account)) ?? 0n;
    assert.deepEqual([account.storedKopecks, account.recomputedKopecks], [balance, balance], nameOf(account));
  }

  const left = await db.query<{ key: string }>('SELECT key FROM ledger_transfers ORDER BY id');
  const keys = new Set(left.map(({ key }) => key));
  const folded = model.filter(({ key }) => !keys.has(key));
  for (const { key, at } of folded) assert.ok(at < limit(), `${key} was folded too young`);
  const carried = await db.query<{ account: string; amount: bigint; transfers: bigint; last_at: Date }>(
    "SELECT kind || ':' || owner_id AS account, amount_kopecks AS amount, transfers, last_at FROM ledger_folded_sums",
  );
  for (const { account, amount, transfers, last_at: lastAt } of carried) {
    const touching = folded.filter(({ from, to }) => nameOf(from) === account || nameOf(to) === account);
    assert.equal(BigInt(touching.length), transfers, `${account} carries as many transfers as were folded`);
    const sum = touching.reduce((total, { to, kopecks }) => total + (nameOf(to) === account ? kopecks : -kopecks), 0n);
    assert.equal(sum, amount);
    assert.deepEqual(lastAt, new Date(Math.max(...touching.map(({ at }) => at.getTime()))));
  }
  return { left: [...keys], carried: folded.length };
}

type Command =
  | {
      readonly kind: 'post';
      readonly from: number;
      readonly to: number;
      readonly kopecks: bigint;
      readonly late: number;
    }
  | { readonly kind: 'fold'; readonly batch: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        kind: fc.constant('post' as const),
        from: fc.nat(4),
        to: fc.nat(4),
        kopecks: fc.constantFrom(1n, 7n, 100n, 12_345n),
        late: fc.nat(20), // seconds by which the write follows the time of the transfer
      })
      .filter(({ from, to }) => from !== to),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fold' as const), batch: fc.integer({ min: 1, max: 7 }) }) },
);
/** Generates simultaneous commands and the number of days that pass after them. */
const wave = fc.record({ commands: fc.array(command, { minLength: 1, maxLength: 8 }), days: fc.nat(150) });

test('folding during traffic changes no balance and folds no transfer before its retention ends', async () => {
  let folded = 0;
  let posts = 0;
  const run = async (waves: readonly { readonly commands: readonly Command[]; readonly days: number }[]) => {
    const accounts = await freshAccounts();
    const at = (index: number): LedgerAccount => accounts[index] ?? external(0);
    for (const { commands, days } of waves) {
      await Promise.all(
        commands.map((one): Promise<unknown> => {
          if (one.kind === 'fold') return foldTransfers({ db: database.db, clock }, undefined, one.batch);
          const time = new Date(clock.now().getTime() - one.late * 1000);
          const { from, to, kopecks } = one;
          return post({ key: `post:${++posts}`, from: at(from), to: at(to), kopecks, at: time });
        }),
      );
      folded = (await assertBooks()).carried;
      clock.advance(days * DAY_SECONDS);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(wave, { minLength: 2, maxLength: 10 }), run), {
    seed: propertySeed,
    numRuns: propertyRuns(10),
  });
  assert.ok(folded > 50, `only ${folded} transfers were folded`);

  clock.advance((TRANSFER_DAYS + 1) * DAY_SECONDS);
  await foldTransfers({ db: database.db, clock });
  assert.deepEqual(await assertBooks(), { left: [], carried: model.length });
});

/** Posts deposits of one kopeck and moves the clock past their retention. */
async function postOld(count: number): Promise<void> {
  const [from, to] = await freshAccounts();
  assert.ok(from && to);
  const transfers = Array.from({ length: count }, (_, i) => ({
    key: `old:${from.ownerId}:${i}`,
    from,
    to,
    kopecks: 1n,
  }));
  const at = clock.now();
  await database.db.transaction((tx) =>
    postTransfers(
      tx,
      transfers.map(({ kopecks, ...transfer }) => ({ ...transfer, kind: 'deposit' as const, amountKopecks: kopecks })),
      at,
    ),
  );
  model.push(...transfers.map((transfer) => ({ ...transfer, at })));
  clock.advance((TRANSFER_DAYS + 1) * DAY_SECONDS);
}

test('simultaneous workers fold each transfer once', async () => {
  await postOld(300);
  const before = (await assertBooks()).carried;
  const fold = () => foldTransfers({ db: database.db, clock }, undefined, 10);
  const counts = await Promise.all([fold(), fold(), fold(), fold()]);
  counts.push(await fold()); // a worker stops when another worker has locked the cursor
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    300,
  );
  assert.deepEqual(await assertBooks(), { left: [], carried: before + 300 });
});

test('a fold that stops between two batches leaves whole batches, and the next run continues', async () => {
  await postOld(25);
  const stop = new AbortController();
  const { db } = database;
  const stopping = {
    query: <Row extends object>(sql: string, params?: readonly unknown[]) => {
      stop.abort();
      return db.query<Row>(sql, params);
    },
  };
  assert.equal(await foldTransfers({ db: stopping, clock }, stop.signal, 10), 10);
  assert.equal((await assertBooks()).left.length, 15);
  assert.equal(await foldTransfers({ db, clock }, undefined, 10), 15);
  assert.deepEqual((await assertBooks()).left, []);
});

test('a killed worker leaves no partial batch, and a hanging one blocks no transfer', async () => {
  await postOld(20);
  const worker = new pg.Client({ connectionString: database.url });
  worker.on('error', () => undefined);
  await worker.connect();
  await worker.query('BEGIN');
  const { rows } = await worker.query<{ folded: number; pid: number }>(
    'SELECT fold_transfers($1, 10) AS folded, pg_backend_pid() AS pid',
    [limit()],
  );
  assert.equal(rows[0]?.folded, 10);

  const [from, to] = await freshAccounts();
  assert.ok(from && to);
  await post({ key: 'beside the fold', from, to, kopecks: 5n, at: clock.now() });
  assert.equal(await foldTransfers({ db: database.db, clock }), 0);
  assert.equal((await assertBooks()).left.length, 21);

  await database.db.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await worker.end().catch(() => undefined);
  assert.equal((await assertBooks()).left.length, 21);
  assert.equal(await foldTransfers({ db: database.db, clock }, undefined, 10), 20);
  assert.deepEqual((await assertBooks()).left, ['beside the fold']);
});

test('transfers and folded sums refuse every change except folding', async () => {
  await postOld(3);
  const refused = [
    'DELETE FROM ledger_transfers',
    'UPDATE ledger_transfers SET amount_kopecks = 1',
    'DELETE FROM ledger_folded_sums',
    'UPDATE ledger_folded_sums SET amount_kopecks = 0',
  ];
  for (const change of refused) {
    await assert.rejects(database.db.query(change), /append-only/, change);
    // The change is also refused after a fold in the same transaction.
    const attempt = database.db.transaction(async (tx) => {
      await tx.query('SELECT fold_transfers($1, 1)', [limit()]);
      await tx.query(change);
    });
    await assert.rejects(attempt, /append-only/, change);
  }
  await database.db.transaction(async (tx) => {
    // A client that sets the folding flag can delete a transfer, but its amount is still added to the folded sums.
    await tx.query("SET LOCAL sponsorgate.is_folding = 'yes'");
    await tx.query("DELETE FROM ledger_transfers WHERE key LIKE 'old:%:1'");
    for (const change of refused.slice(1, 3)) {
      await assert.rejects(
        tx.savepoint(() => tx.query(change)),
        /append-only/,
        change,
      );
    }
  });
  assert.equal((await assertBooks()).left.filter((key) => key.startsWith('old:')).length, 2);
});

test('the ledger verification finds a changed folded sum', async () => {
  class TakenBack extends Error {}
  const tampered = database.db.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(
      "UPDATE ledger_folded_sums SET amount_kopecks = amount_kopecks + 1 WHERE kind = 'available' AND owner_id = 1",
    );
    const { balanced, faults, totalKopecks } = await verifyLedger(tx);
    assert.deepEqual([balanced, totalKopecks], [false, 1n]);
    assert.match(faults[0] ?? '', /^available:1 stores/);
    throw new TakenBack();
  });
  await assert.rejects(tampered, TakenBack);
});
