import type { Queryable, Transaction } from '../../core/database.ts';

/** A bot that does not run never reads its updates, so their number is limited. */
const MAX_PENDING = 10_000;
/** How long a bot counts as listening after its last getUpdates. */
const ALIVE_SECONDS = 20;

export interface PushedUpdate {
  readonly botId: number;
  readonly updateId: number;
  /** A poller runs or a webhook is set, so the update will be handled. */
  readonly consumed: boolean;
  readonly hooked: boolean;
}

/**
 * Queues one update for each of the bots that wants this type. The row lock on the bot assigns ids in commit order: with
 * a sequence, 8 could become visible before 7, and a poller that confirmed 8 would never see 7. Bots are locked in the
 * order of their ids, because two chats with the same administrators could deadlock otherwise.
 */
export async function pushUpdate(
  tx: Transaction,
  botIds: readonly number[],
  type: string,
  body: object,
): Promise<PushedUpdate[]> {
  const pushed = await tx.query<PushedUpdate>(
    `WITH wanting AS (
       SELECT bot_id FROM sandbox.tg_bots
       WHERE bot_id = ANY($1::bigint[]) AND CASE
         WHEN COALESCE(cardinality(allowed_updates), 0) = 0
           THEN $2 <> ALL (ARRAY['chat_member', 'message_reaction', 'message_reaction_count'])
         ELSE $2 = ANY (allowed_updates) END
       ORDER BY bot_id FOR UPDATE
     ), numbered AS (
       UPDATE sandbox.tg_bots b SET last_update_id = b.last_update_id + 1 FROM wanting w WHERE b.bot_id = w.bot_id
       RETURNING b.bot_id, b.last_update_id AS update_id, b.webhook_url IS NOT NULL AS hooked,
         COALESCE(b.webhook_url IS NOT NULL OR b.alive_until > clock_timestamp(), false) AS consumed
     ), queued AS (
       INSERT INTO sandbox.tg_updates (bot_id, update_id, body)
       SELECT bot_id, update_id, jsonb_build_object($2::text, $3::jsonb) FROM numbered
     )
     SELECT bot_id::float8 AS "botId", update_id::float8 AS "updateId", consumed, hooked FROM numbered`,
    [botIds, type, JSON.stringify(body)],
  );
  for (const update of pushed) if (update.updateId % 500 === 0) await trim(tx, update.botId, update.updateId);
  return pushed;
}

async function trim(tx: Transaction, botId: number, newest: number): Promise<void> {
  await tx.query('DELETE FROM sandbox.tg_updates WHERE bot_id = $1 AND update_id <= $2', [botId, newest - MAX_PENDING]);
}

export interface PollStart {
  readonly botId: number;
  readonly pollId: string;
  readonly timeoutSeconds: number;
  /** `undefined` keeps the types of the last call. */
  readonly allowedUpdates: readonly string[] | undefined;
}

/**
 * Registers a poll. `replaced` means that another poll was waiting; the caller then ends it. Only a poll with a timeout
 * makes a bot alive: frameworks send one without a timeout when they stop.
 */
export async function beginPoll(
  tx: Transaction,
  poll: PollStart,
): Promise<{ hooked: boolean; replaced: boolean } | undefined> {
  const [row] = await tx.query<{ hooked: boolean; replaced: boolean }>(
    `UPDATE sandbox.tg_bots b SET
       poll_id = CASE WHEN b.webhook_url IS NULL THEN $2 ELSE b.poll_id END,
       alive_until = CASE WHEN $3::float8 > 0 THEN clock_timestamp() + make_interval(secs => $3 + $5) END,
       allowed_updates = CASE WHEN b.webhook_url IS NULL THEN COALESCE($4::text[], b.allowed_updates)
                              ELSE b.allowed_updates END
     FROM (SELECT bot_id, poll_id FROM sandbox.tg_bots WHERE bot_id = $1 FOR UPDATE) old
     WHERE b.bot_id = old.bot_id
     RETURNING b.webhook_url IS NOT NULL AS hooked, old.poll_id IS NOT NULL AS replaced`,
    [poll.botId, poll.pollId, poll.timeoutSeconds, poll.allowedUpdates ?? null, ALIVE_SECONDS],
  );
  return row;
}

/** A completed poll keeps the bot alive for a few seconds; one whose client disconnected does not. */
export async function endPoll(db: Queryable, botId: number, pollId: string, answered: boolean): Promise<void> {
  await db.query(
    `UPDATE sandbox.tg_bots SET poll_id = NULL,
       alive_until = CASE WHEN $3 AND alive_until IS NOT NULL THEN clock_timestamp() + make_interval(secs => $4) END
     WHERE bot_id = $1 AND poll_id = $2`,
    [botId, pollId, answered, ALIVE_SECONDS],
  );
}

/** Returns whether the service's bot has confirmed the update and is still handling it. */
export async function isUnfinished(db: Queryable, updateId: number): Promise<boolean> {
  return (await db.query('SELECT FROM unfinished_updates WHERE update_id = $1', [updateId])).length > 0;
}

/** Returns whether a process polls for the bot, or did a few seconds ago. */
export async function isListening(db: Queryable, botId: number): Promise<boolean> {
  const rows = await db.query('SELECT FROM sandbox.tg_bots WHERE bot_id = $1 AND alive_until > clock_timestamp()', [
    botId,
  ]);
  return rows.length > 0;
}

/** Deletes the updates below `offset`; a negative one keeps that many of the newest. Returns the highest confirmed id. */
export async function confirmUpdates(tx: Transaction, botId: number, offset: number): Promise<number | undefined> {
  const [row] = await tx.query<{ confirmed: bigint }>(
    `UPDATE sandbox.tg_bots SET confirmed_update_id = GREATEST(confirmed_update_id, LEAST(last_update_id,
       CASE WHEN $2::bigint < 0 THEN last_update_id + $2::bigint ELSE $2::bigint - 1 END))
     WHERE bot_id = $1 RETURNING confirmed_update_id AS confirmed`,
    [botId, offset],
  );
  if (!row) return undefined;
  const deleted = await tx.query<{ update_id: bigint }>(
    'DELETE FROM sandbox.tg_updates WHERE bot_id = $1 AND update_id <= $2 RETURNING update_id',
    [botId, row.confirmed],
  );
  return deleted.length > 0 ? Number(row.confirmed) : undefined;
}

export async function readConfirmed(db: Queryable, botId: number): Promise<number> {
  const [row] = await db.query<{ confirmed_update_id: bigint }>(
    'SELECT confirmed_update_id FROM sandbox.tg_bots WHERE bot_id = $1',
    [botId],
  );
  // Callers must not wait for a deleted bot.
  return row ? Number(row.confirmed_update_id) : Number.MAX_SAFE_INTEGER;
}

export interface QueueView {
  readonly pollId: string | null;
  readonly hooked: boolean;
  readonly updates: object[];
}

/** Returns the oldest pending updates and the bot's current poll. */
export async function readQueue(db: Queryable, botId: number, limit: number): Promise<QueueView | undefined> {
  const rows = await db.query<{
    poll_id: string | null;
    hooked: boolean;
    update_id: bigint | null;
    body: object | null;
  }>(
    `SELECT b.poll_id, b.webhook_url IS NOT NULL AS hooked, u.update_id, u.body
     FROM sandbox.tg_bots b
     LEFT JOIN LATERAL (SELECT update_id, body FROM sandbox.tg_updates WHERE bot_id = b.bot_id
                        ORDER BY update_id LIMIT $2) u ON true
     WHERE b.bot_id = $1 ORDER BY u.update_id`,
    [botId, limit],
  );
  const [first] = rows;
  if (!first) return undefined;
  const updates = rows.flatMap((row) =>
    row.update_id === null ? [] : [{ update_id: Number(row.update_id), ...row.body }],
  );
  return { pollId: first.poll_id, hooked: first.hooked, updates };
}
