import type { Transaction } from '../../core/database.ts';
import type { Task } from './task.ts';

/** What a bot has shown so far, and how many of its tasks became subscriptions. */
export interface BotProgress {
  /** Open tasks for which an order keeps a slot. */
  readonly reservedCount: number;
  readonly shownTotal: number;
  readonly confirmedTotal: number;
  readonly reversedTotal: number;
}

/** Locks the counters of these bots in key order. Inserts the row of a bot that has never shown a task. */
export async function lockBots(tx: Transaction, botIds: readonly number[]): Promise<ReadonlyMap<number, BotProgress>> {
  const existing = await lockExistingBots(tx, botIds);
  const missing = botIds.filter((botId) => !existing.has(botId));
  if (missing.length === 0) return existing;
  await tx.query(
    `INSERT INTO bot_progress (bot_id) SELECT * FROM unnest($1::bigint[]) AS t (bot_id) ORDER BY bot_id
     ON CONFLICT DO NOTHING`,
    [missing],
  );
  return new Map([...existing, ...(await lockExistingBots(tx, missing))]);
}

async function lockExistingBots(tx: Transaction, botIds: readonly number[]): Promise<ReadonlyMap<number, BotProgress>> {
  const rows = await tx.query<{
    bot_id: bigint;
    reserved_count: number;
    shown_total: bigint;
    confirmed_total: bigint;
    reversed_total: bigint;
  }>(
    `SELECT bot_id, reserved_count, shown_total, confirmed_total, reversed_total
     FROM bot_progress WHERE bot_id = ANY($1::bigint[]) ORDER BY bot_id FOR UPDATE`,
    [botIds],
  );
  return new Map(
    rows.map((row) => [
      Number(row.bot_id),
      {
        reservedCount: row.reserved_count,
        shownTotal: Number(row.shown_total),
        confirmedTotal: Number(row.confirmed_total),
        reversedTotal: Number(row.reversed_total),
      },
    ]),
  );
}

/** The change of a bot's counters by one task. Absent means no change. */
export interface BotChange {
  readonly botId: number;
  readonly reserved?: number;
  readonly shown?: number;
  readonly confirmed?: number;
  readonly reversed?: number;
}

/** The change when a task gives up its reserved slot. */
export const releasedBy = ({ botId }: Pick<Task, 'botId'>): BotChange => ({ botId, reserved: -1 });

/** Adds up the changes per bot and applies them. */
export async function changeBots(tx: Transaction, changes: readonly BotChange[]): Promise<void> {
  const sums = new Map<number, Required<BotChange>>();
  for (const { botId, reserved = 0, shown = 0, confirmed = 0, reversed = 0 } of changes) {
    const sum = sums.get(botId);
    sums.set(botId, {
      botId,
      reserved: (sum?.reserved ?? 0) + reserved,
      shown: (sum?.shown ?? 0) + shown,
      confirmed: (sum?.confirmed ?? 0) + confirmed,
      reversed: (sum?.reversed ?? 0) + reversed,
    });
  }
  if (sums.size === 0) return;
  const bots = [...sums.values()];
  await tx.query(
    `WITH locked AS MATERIALIZED (
       SELECT bot_id FROM bot_progress WHERE bot_id = ANY($1::bigint[]) ORDER BY bot_id FOR UPDATE)
     UPDATE bot_progress p SET
       reserved_count = p.reserved_count + c.reserved, shown_total = p.shown_total + c.shown,
       confirmed_total = p.confirmed_total + c.confirmed, reversed_total = p.reversed_total + c.reversed
     FROM locked JOIN unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[])
       AS c (bot_id, reserved, shown, confirmed, reversed) USING (bot_id)
     WHERE p.bot_id = locked.bot_id`,
    [
      bots.map(({ botId }) => botId),
      bots.map(({ reserved }) => reserved),
      bots.map(({ shown }) => shown),
      bots.map(({ confirmed }) => confirmed),
      bots.map(({ reversed }) => reversed),
    ],
  );
}
