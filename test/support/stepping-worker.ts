/**
 * A worker process that stops for ever before its n-th step, so that a test can kill it there. A step is a statement, a
 * commit or a call of the provider. Settings: DATABASE_URL, BANK_URL, TASK, STOP_AT, NOW.
 */
import type { Database, Transaction } from '../../src/core/database.ts';
import { openDatabase } from '../../src/db/index.ts';
import { createCryptoPay } from '../../src/modules/payouts/index.ts';
import { CONTEST_RULES } from './contest-rules.ts';
import { CRYPTO_PAY_TOKEN } from './crypto-pay-double.ts';
import { bindContests, bindPayouts } from './money-use-cases.ts';

const { DATABASE_URL = '', BANK_URL = '', TASK = '', STOP_AT = '', NOW = '' } = process.env;
let steps = 0;

async function step(name: string): Promise<void> {
  if (steps++ !== Number(STOP_AT)) return;
  process.stdout.write(`stopped before ${name}\n`);
  setInterval(() => undefined, 1_000_000);
  await new Promise(() => undefined);
}

const firstWords = (sql: string): string => sql.trim().split(/\s+/).slice(0, 4).join(' ');

function steppingTransaction(tx: Transaction): Transaction {
  return {
    ...tx,
    async query(sql, params) {
      await step(firstWords(sql));
      return tx.query(sql, params);
    },
  };
}

function steppingDatabase(db: Database): Database {
  return {
    ...db,
    async query(sql, params) {
      await step(firstWords(sql));
      return db.query(sql, params);
    },
    async transaction<Decided, T>(
      work: (tx: Transaction) => Promise<Decided>,
      // The database sends these writes together with the COMMIT, so no step is possible between them.
      lastWrites = (_tx: Transaction, decided: Decided) => Promise.resolve(decided as unknown as T),
    ) {
      await step('BEGIN');
      const result = await db.transaction(async (tx) => {
        const decided = await work(steppingTransaction(tx));
        await step('COMMIT');
        return decided;
      }, lastWrites);
      await step('what comes after COMMIT');
      return result;
    },
  };
}

const realFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const method = (input instanceof Request ? input.url : input.toString()).split('/').at(-1);
  await step(`calling ${method}`);
  const response = await realFetch(input, init);
  await step(`reading the answer of ${method}`);
  return response;
};

const open = openDatabase({ url: DATABASE_URL, onError: () => undefined });
const db = steppingDatabase(open);
const clock = { now: () => new Date(NOW) };
const client = createCryptoPay({ apiRoot: BANK_URL, token: CRYPTO_PAY_TOKEN });
if (TASK === 'payouts') {
  const cryptoPay = { client, asset: 'USDT' } as const;
  await bindPayouts({ db, clock, minimumKopecks: 1n, cryptoPay }).sendApproved();
} else {
  await bindContests({ db, clock, ...CONTEST_RULES }).finish();
}
await open.close();
process.stdout.write(`done in ${steps} steps\n`);
