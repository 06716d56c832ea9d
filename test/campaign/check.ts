import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { CryptoPayDouble } from '../support/crypto-pay-double.ts';
import { DUE, LAWS } from './laws.ts';
import type { Witness } from './witness.ts';

export interface Violation {
  readonly law: string;
  /** The first rows that violate it. */
  readonly evidence: readonly unknown[];
}

export interface Known {
  readonly witness: Witness;
  readonly bank: Pick<CryptoPayDouble, 'transfers'>;
  readonly taken: ReadonlySet<string>;
  readonly deserters: readonly string[];
  readonly bought: ReadonlyMap<number, number>;
}

const SHOWN = 5;

/** Checks the invariants and the facts of the campaign's witness in one snapshot of the database. */
export function checkBooks(url: string, known: Known): Promise<Violation[]> {
  // The workers continue, so payments after the snapshot are not in it.
  const paidBefore = spendIdsOf(known.bank);
  return reading(url, (read) => judge(read, known, paidBefore));
}

export async function judge(
  read: Read,
  known: Known,
  paidBefore: readonly string[] = spendIdsOf(known.bank),
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const note = (law: string, evidence: readonly unknown[]): void => {
    if (evidence.length > 0) violations.push({ law, evidence: evidence.slice(0, SHOWN) });
  };
  for (const [law, sql] of Object.entries(LAWS)) note(law, await read(`${sql} LIMIT ${SHOWN}`));
  note('an acknowledged confirm is not in the books', await lostConfirms(read, known.witness));
  note('a reward was reversed although the user never left', await wrongedStayers(read, known.witness));
  note('an acknowledged top-up is missing, or one was made twice', await wrongTopUps(read, known));
  note('the payment provider and the payouts do not agree', await wrongTransfers(read, paidBefore, known.bank));
  note('an event counts as delivered that the receiver never took', await unheardOf(read, known.taken));
  note('an answer that nothing excuses', known.witness.outrages);
  note('a process ended by itself, or hung in its start', known.deserters);
  return violations;
}

/** Returns the due work that is not done, by name. */
export async function findDue(read: Read): Promise<Violation[]> {
  const due: Violation[] = [];
  for (const [law, sql] of Object.entries(DUE)) {
    const evidence = await read(`${sql} LIMIT ${SHOWN}`);
    if (evidence.length > 0) due.push({ law, evidence });
  }
  return due;
}

/**
 * Checks that no user who left within the window was paid, if the check at the window's end came in time. A check more
 * than ten minutes late settles for the publisher (decision 0056). Valid only when all windows are over.
 */
export async function checkLeavers(url: string, { left }: Witness): Promise<Violation[]> {
  const evidence = await reading(url, (read) =>
    read(
      `SELECT f.user_id, f.order_id, f.state, f.window_ends_at, l.no_later_than
       FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS l (user_id, chat_id, no_later_than)
       JOIN resources r ON r.chat_id = l.chat_id
       JOIN tasks f ON f.user_id = l.user_id AND f.resource_id = r.id
       WHERE f.state = 'settled' AND l.no_later_than < f.window_ends_at
         AND f.settled_at <= f.window_ends_at + interval '10 minutes'`,
      [left.map((l) => l.userId), left.map((l) => l.chatId), left.map((l) => l.noLaterThan)],
    ),
  );
  return evidence.length === 0
    ? []
    : [{ law: 'one who left in time was paid for', evidence: evidence.slice(0, SHOWN) }];
}

export interface Calm {
  readonly milliseconds: number;
  /** The kind of due work that was done last. */
  readonly last: string | undefined;
  readonly violations: Violation[];
}

/** Waits until no work is due. Work that is not done at the timeout is a violation. */
export async function untilCalm(url: string, withinMs: number): Promise<Calm> {
  const begin = performance.now();
  let last: string | undefined;
  for (;;) {
    const undone = await reading(url, findDue);
    const milliseconds = performance.now() - begin;
    if (undone.length === 0) return { milliseconds, last, violations: [] };
    last = undone[0]?.law;
    if (milliseconds > withinMs) {
      const stuck = `stuck for more than ${withinMs / 1000} s`;
      const violations = undone.map(({ law, evidence }) => ({ law: `${stuck}: ${law}`, evidence }));
      return { milliseconds, last, violations };
    }
    await sleep(250);
  }
}

export type Read = (sql: string, params?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

async function lostConfirms(read: Read, { acknowledged }: Witness): Promise<unknown[]> {
  const all = [...acknowledged.values()];
  return read(
    `SELECT a.*, f.state, f.reward_kopecks, c.bot_id AS counted_for, c.order_id AS counted_order
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS a (user_id, bot_id, order_id, reward)
     LEFT JOIN all_tasks f USING (user_id, bot_id, order_id)
     LEFT JOIN counted_subscriptions c ON c.user_id = f.user_id AND c.resource_id = f.resource_id
     WHERE f.state IS NULL OR f.state NOT IN ('held', 'paid', 'settled', 'reversed', 'notgetted')
        OR f.reward_kopecks <> a.reward OR c.bot_id IS DISTINCT FROM a.bot_id OR c.order_id IS DISTINCT FROM a.order_id`,
    [all.map((a) => a.userId), all.map((a) => a.botId), all.map((a) => a.orderId), all.map((a) => a.rewardKopecks)],
  );
}

async function wrongedStayers(read: Read, witness: Witness): Promise<unknown[]> {
  const reversed = await read(
    `SELECT f.user_id::float8, f.order_id::float8, r.chat_id::float8 FROM all_tasks f JOIN resources r ON r.id = f.resource_id
     WHERE f.state = 'reversed'`,
  );
  return reversed.filter(({ user_id, chat_id }) => !witness.mayHaveLeft(Number(user_id), Number(chat_id)));
}

/** An order has its first quantity, every acknowledged top-up, and at most the unacknowledged ones. */
async function wrongTopUps(read: Read, { witness, bought }: Known): Promise<unknown[]> {
  const rows = await read('SELECT id::float8, quantity FROM orders WHERE id = ANY($1::bigint[])', [[...bought.keys()]]);
  return rows.filter(({ id, quantity }) => {
    const asked = [...witness.topUps.values()].filter((topUp) => topUp.orderId === id);
    const sum = (topUps: typeof asked): number => topUps.reduce((total, topUp) => total + topUp.quantity, 0);
    const least = (bought.get(Number(id)) ?? 0) + sum(asked.filter((topUp) => topUp.isAcknowledged));
    const most = (bought.get(Number(id)) ?? 0) + sum(asked);
    return Number(quantity) < least || Number(quantity) > most;
  });
}

const spendIdsOf = ({ transfers }: Known['bank']): string[] => transfers.map((transfer) => transfer.spend_id);

/**
 * Every transfer of the provider belongs to a payout that is sent or will be resolved by a later attempt, and every sent
 * payout has a transfer. An approved payout can have one too, when the clock jumped over the time for which an earlier
 * attempt was in doubt. After the last round none of these is left.
 */
async function wrongTransfers(read: Read, paidBefore: readonly string[], bank: Known['bank']): Promise<unknown[]> {
  const unknown = await read(
    `SELECT t.spend_id, p.id, p.status FROM unnest($1::text[]) AS t (spend_id) LEFT JOIN payouts p USING (spend_id)
     WHERE p.status IS NULL OR NOT (p.status IN ('sending', 'sent') OR p.status = 'approved' AND p.attempts > 0)`,
    [paidBefore],
  );
  const unpaid = await read(
    `SELECT id, status, spend_id FROM payouts
     WHERE method = 'crypto-pay' AND status = 'sent' AND spend_id <> ALL ($1::text[])`,
    [spendIdsOf(bank)],
  );
  return [...unknown, ...unpaid];
}

async function unheardOf(read: Read, taken: ReadonlySet<string>): Promise<unknown[]> {
  const delivered = await read(
    "SELECT 'evt_' || replace(event_id::text, '-', '') AS id FROM webhook_deliveries WHERE state = 'delivered'",
  );
  return delivered.filter(({ id }) => !taken.has(String(id)));
}

async function reading<T>(url: string, work: (read: Read) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(async (sql, params = []) => (await client.query<Record<string, unknown>>(sql, [...params])).rows);
  } finally {
    await client.end();
  }
}
