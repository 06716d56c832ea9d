import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import type { Queryable, Transaction } from '../../src/core/database.ts';
import {
  available,
  escrow,
  external,
  hold,
  type LedgerAccount,
  latestTransfers,
  lockBalances,
  openAccounts,
  platform,
  postTransfers,
  readBalances,
  type Transfer,
  verifyLedger,
} from '../../src/modules/ledger/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { propertyRuns, propertySeed } from '../support/property-runs.ts';

const AT = new Date('2026-01-01T12:00:00Z');
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** Opens eight accounts of several kinds that no other run uses. The last one is the external source of money. */
let lastOwner = 0;
async function freshAccounts(): Promise<readonly LedgerAccount[]> {
  const [a, b] = [++lastOwner, ++lastOwner];
  const accounts = [available(a), hold(a), escrow(a), platform(a), available(b), hold(b), escrow(b), external(a)];
  await database.db.transaction((tx) => openAccounts(tx, accounts));
  return accounts;
}

const ACCOUNTS = 8;
const KEYS = 12;

/** Generates a transfer whose key and accounts are indexes. */
const draft = fc
  .record({
    key: fc.nat(KEYS - 1),
    from: fc.nat(ACCOUNTS - 1),
    to: fc.nat(ACCOUNTS - 1),
    kopecks: fc.constantFrom(0n, 1n, 7n, 100n, 12_345n),
  })
  .filter(({ from, to }) => from !== to);
/** Generates several posts of several transfers. There are few keys, so that keys repeat within and between posts. */
const drafts = fc.array(fc.array(draft, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 10 });

interface Attempt {
  readonly transfers: readonly Transfer[];
  readonly posted: ReadonlySet<string> | undefined;
}

async function balancesOf(db: Queryable, accounts: readonly LedgerAccount[]): Promise<bigint[]> {
  const rows = await db.query<{ kind: string; owner_id: bigint; balance_kopecks: bigint }>(
    'SELECT kind, owner_id, balance_kopecks FROM ledger_accounts WHERE owner_id = ANY($1::bigint[])',
    [accounts.map((account) => account.ownerId)],
  );
  return accounts.map(({ kind, ownerId }) => {
    const row = rows.find((found) => found.kind === kind && found.owner_id === BigInt(ownerId));
    assert.ok(row);
    return row.balance_kopecks;
  });
}

const isOverdraft = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '23514';

test('simultaneous posts move money once per key, and a failed transaction moves nothing', async () => {
  let overdrafts = 0;
  let repeats = 0;
  const run = async (posts: readonly (readonly { key: number; from: number; to: number; kopecks: bigint }[])[]) => {
    const accounts = await freshAccounts();
    const prefix = `run:${lastOwner}`;
    let tries = 0;
    const accountAt = (index: number): LedgerAccount => accounts[index] ?? external(0);
    const attempts = await Promise.all(
      posts.map(async (post): Promise<Attempt> => {
        const transfers = post.map(({ key, from, to, kopecks }) => ({
          kind: 'deposit' as const,
          key: `${prefix}:${key}`,
          from: accountAt(from),
          to: accountAt(to),
          amountKopecks: kopecks,
        }));
        try {
          const posted = await database.db.transaction((tx) => {
            tries += 1;
            return postTransfers(tx, transfers, AT);
          });
          return { transfers, posted };
        } catch (error) {
          assert.ok(isOverdraft(error), String(error));
          overdrafts += 1;
          return { transfers, posted: undefined };
        }
      }),
    );

    assert.equal(tries, posts.length, 'no deadlock, not even one that was retried');

    const claimed = attempts.flatMap(({ posted }) => [...(posted ?? [])]);
    assert.equal(new Set(claimed).size, claimed.length, 'no key was new to two transactions');
    const recorded = await database.db.query<{
      key: string;
      from_kind: string;
      to_kind: string;
      amount_kopecks: bigint;
    }>('SELECT key, from_kind, to_kind, amount_kopecks FROM ledger_transfers WHERE key LIKE $1', [`${prefix}:%`]);
    assert.deepEqual(recorded.map(({ key }) => key).sort(), [...claimed].sort(), 'what failed left nothing behind');
    for (const { transfers, posted } of attempts) {
      if (posted === undefined) continue;
      const moving = new Set(transfers.filter((transfer) => transfer.amountKopecks > 0n).map(({ key }) => key));
      for (const key of posted) assert.ok(moving.has(key), `${key} was answered by a post that does not contain it`);
      for (const key of moving) assert.ok(claimed.includes(key), `${key} was neither new nor there before`);
      repeats += transfers.length - posted.size;
    }

    const balances = await balancesOf(database.db, accounts);
    assert.equal(
      balances.reduce((sum, balance) => sum + balance, 0n),
      0n,
    );
    for (const [i, { kind }] of accounts.entries()) {
      if (kind === 'hold' || kind === 'escrow') assert.ok((balances[i] ?? -1n) >= 0n, `${kind} is overdrawn`);
    }
    const report = await verifyLedger(database.db);
    assert.deepEqual({ balanced: report.balanced, faults: report.faults }, { balanced: true, faults: [] });
  };
  await fc.assert(fc.asyncProperty(drafts, run), { seed: propertySeed, numRuns: propertyRuns(50) });
  assert.ok(overdrafts > 0 && repeats > 0, 'the runs met overdrafts and repeated keys');
});

test('two posts that touch the same accounts in opposite order both succeed', async () => {
  const accounts = await freshAccounts();
  const [first, , , second, third] = accounts;
  assert.ok(first && second && third);
  const around = [
    [first, second],
    [second, third],
    [third, first],
  ] as const;
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const pairs = i % 2 === 0 ? around : [...around].reverse();
      const transfers = pairs.map(([from, to], leg) => ({
        kind: 'deposit' as const,
        key: `ring:${i}:${leg}`,
        from,
        to,
        amountKopecks: 5n,
      }));
      await database.db.transaction((tx) => postTransfers(tx, transfers, AT));
    }),
  );
  assert.deepEqual(await balancesOf(database.db, [first, second, third]), [0n, 0n, 0n]);
});

test('posting a transfer again, even with another amount, changes nothing', async () => {
  const accounts = await freshAccounts();
  const [owner, , purse] = accounts;
  assert.ok(owner && purse);
  const transfer = {
    kind: 'deposit' as const,
    key: `again:${owner.ownerId}`,
    from: owner,
    to: purse,
    amountKopecks: 500n,
  };
  const post = (amountKopecks: bigint) =>
    database.db.transaction((tx) => postTransfers(tx, [{ ...transfer, amountKopecks }], AT));
  assert.deepEqual(await post(500n), new Set([transfer.key]));
  assert.deepEqual(await post(500n), new Set());
  assert.deepEqual(await post(700n), new Set());
  assert.deepEqual(await balancesOf(database.db, [owner, purse]), [-500n, 500n]);
});

test('an overdraft of hold or escrow rolls back the whole transaction', async () => {
  const accounts = await freshAccounts();
  const [owner, , purse, house] = accounts;
  assert.ok(owner && purse && house);
  const key = `overdraft:${owner.ownerId}`;
  const attempt = database.db.transaction(async (tx) => {
    await postTransfers(
      tx,
      [{ kind: 'deposit' as const, key: `${key}:1`, from: owner, to: purse, amountKopecks: 100n }],
      AT,
    );
    await postTransfers(
      tx,
      [{ kind: 'deposit' as const, key: `${key}:2`, from: purse, to: house, amountKopecks: 101n }],
      AT,
    );
  });
  await assert.rejects(attempt, isOverdraft);
  assert.deepEqual(await balancesOf(database.db, [owner, purse, house]), [0n, 0n, 0n]);
  assert.deepEqual(await database.db.query('SELECT 1 FROM ledger_transfers WHERE key LIKE $1', [`${key}:%`]), []);
});

test('a transfer to an account that was never opened fails and changes nothing', async () => {
  const [owner] = await freshAccounts();
  assert.ok(owner);
  const key = `nowhere:${owner.ownerId}`;
  const transfer = { kind: 'deposit' as const, key, from: owner, to: escrow(987_654_321), amountKopecks: 1n };
  await assert.rejects(
    database.db.transaction((tx) => postTransfers(tx, [transfer], AT)),
    /never opened/,
  );
  assert.deepEqual(await balancesOf(database.db, [owner]), [0n]);
  assert.deepEqual(await database.db.query('SELECT 1 FROM ledger_transfers WHERE key = $1', [key]), []);
});

for (const change of ['UPDATE ledger_transfers SET amount_kopecks = 1', 'DELETE FROM ledger_transfers']) {
  test(`a recorded transfer cannot be changed: ${change.split(' ')[0]} is refused`, async () => {
    const [owner, , purse] = await freshAccounts();
    assert.ok(owner && purse);
    const key = `kept:${owner.ownerId}`;
    await database.db.transaction((tx) =>
      postTransfers(tx, [{ kind: 'deposit' as const, key, from: owner, to: purse, amountKopecks: 9n }], AT),
    );
    await assert.rejects(database.db.query(`${change} WHERE key = '${key}'`), /append-only/);
    const rows = await database.db.query('SELECT amount_kopecks FROM ledger_transfers WHERE key = $1', [key]);
    assert.deepEqual(rows, [{ amount_kopecks: 9n }]);
  });
}

/** Faults that the service cannot cause. Each one bypasses the guards of the database and is rolled back afterwards. */
const FAULTS: Readonly<
  Record<
    string,
    { inject(tx: Transaction, purse: LedgerAccount): Promise<unknown>; says: RegExp; totalKopecks?: bigint }
  >
> = {
  'a stored balance that was tampered with': {
    inject: (tx, { kind, ownerId }) =>
      tx.query('UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + 1 WHERE kind = $1 AND owner_id = $2', [
        kind,
        ownerId,
      ]),
    says: /stores 501 kopecks, its transfers add up to 500/,
  },
  'a transfer that was removed': {
    async inject(tx, { kind, ownerId }) {
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query('DELETE FROM ledger_transfers WHERE to_kind = $1 AND to_owner_id = $2', [kind, ownerId]);
    },
    says: /stores 500 kopecks, its transfers add up to 0/,
  },
  'an account that vanished with its money': {
    inject: (tx, { kind, ownerId }) =>
      tx.query('DELETE FROM ledger_accounts WHERE kind = $1 AND owner_id = $2', [kind, ownerId]),
    says: /stores 0 kopecks, its transfers add up to 500/,
  },
  'a sum carried out of nothing': {
    inject: (tx, { kind, ownerId }) =>
      tx.query(
        'INSERT INTO ledger_folded_sums (kind, owner_id, amount_kopecks, transfers, last_at) VALUES ($1, $2, 3, 1, now())',
        [kind, ownerId],
      ),
    says: /stores 500 kopecks, its transfers add up to 503/,
    totalKopecks: 3n,
  },
  'money set aside that was overdrawn': {
    async inject(tx, purse) {
      await tx.query('ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_check');
      const transfer = {
        kind: 'deposit' as const,
        key: 'fault',
        from: purse,
        to: platform(purse.ownerId),
        amountKopecks: 600n,
      };
      await postTransfers(tx, [transfer], AT);
    },
    says: /is overdrawn: -100/,
  },
};

class TakenBack extends Error {}

for (const [fault, { inject, says, totalKopecks = 0n }] of Object.entries(FAULTS)) {
  test(`the ledger verification finds ${fault}`, async () => {
    const [owner, , purse] = await freshAccounts();
    assert.ok(owner && purse);
    const funding = {
      kind: 'deposit' as const,
      key: `fund:${owner.ownerId}`,
      from: owner,
      to: purse,
      amountKopecks: 500n,
    };
    await database.db.transaction((tx) => postTransfers(tx, [funding], AT));
    assert.equal((await verifyLedger(database.db)).balanced, true);

    const injected = database.db.transaction(async (tx) => {
      await inject(tx, purse);
      const { balanced, faults, ...report } = await verifyLedger(tx);
      assert.equal(balanced, false);
      assert.equal(report.totalKopecks, totalKopecks);
      const hasTotal = faults.includes(`all balances together are ${totalKopecks} kopecks instead of zero`);
      assert.equal(hasTotal, totalKopecks !== 0n, faults.join('; '));
      assert.ok(
        faults.some((sentence) => sentence.startsWith(`escrow:${purse.ownerId} `) && says.test(sentence)),
        faults.join('; '),
      );
      throw new TakenBack();
    });
    await assert.rejects(injected, TakenBack);
    assert.equal((await verifyLedger(database.db)).balanced, true);
  });
}

test('accounts other than hold and escrow may have a negative balance', async () => {
  const accounts = await freshAccounts();
  const [owner, , , earned] = accounts;
  const world = accounts.at(-1);
  assert.ok(owner && earned && world);
  const spend = (from: LedgerAccount, to: LedgerAccount) => ({
    kind: 'deposit' as const,
    key: `owe:${from.kind}:${from.ownerId}`,
    from,
    to,
    amountKopecks: 40n,
  });
  await database.db.transaction((tx) =>
    postTransfers(tx, [spend(owner, platform(owner.ownerId)), spend(world, owner), spend(earned, world)], AT),
  );
  assert.deepEqual((await verifyLedger(database.db)).faults, []);
});

test('balances are read by kind and owner, and an account that was never opened has a balance of zero', async () => {
  const [owner, held, purse] = await freshAccounts();
  const [other] = await freshAccounts();
  assert.ok(owner && held && purse && other);
  const fund = { kind: 'deposit' as const, key: `read:${owner.ownerId}`, from: owner, to: purse, amountKopecks: 500n };
  const loan = { kind: 'deposit' as const, key: `read:${other.ownerId}`, from: other, to: owner, amountKopecks: 20n };
  await database.db.transaction((tx) => postTransfers(tx, [fund, loan], AT));
  const asked = [owner, held, purse, other, available(999_999_999)];
  for (const read of [readBalances, lockBalances]) {
    const balances = await database.db.transaction((tx) => read(tx, asked).then((balanceOf) => asked.map(balanceOf)));
    assert.deepEqual(balances, [-480n, 0n, 500n, -20n, 0n], read.name);
  }
});

test('the latest transfers are returned newest first with all their fields', async () => {
  const [owner, , purse] = await freshAccounts();
  assert.ok(owner && purse);
  for (const [i, amountKopecks] of [7n, 8n, 9n].entries()) {
    const transfer = {
      kind: 'deposit' as const,
      key: `latest:${owner.ownerId}:${i}`,
      from: owner,
      to: purse,
      amountKopecks,
    };
    await database.db.transaction((tx) => postTransfers(tx, [transfer], AT));
  }
  const latest = await latestTransfers(database.db, 2);
  assert.deepEqual(
    latest.map(({ id: _, ...transfer }) => transfer),
    [9n, 8n].map((amountKopecks, i) => ({
      kind: 'deposit',
      key: `latest:${owner.ownerId}:${2 - i}`,
      from: owner,
      to: purse,
      amountKopecks,
      orderId: null,
      botId: null,
      userId: null,
      payoutId: null,
      contestId: null,
      place: null,
      createdAt: AT,
    })),
  );
});
