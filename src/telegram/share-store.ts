import type { Database } from '../core/database.ts';

/** The part of one process in the budget of one bot. Times are of the store's clock. */
export interface ShareRow {
  readonly processId: string;
  /** Calls that the process wanted in the last second. */
  readonly wanted: number;
  /** Calls per second that the process may make. */
  readonly share: number;
  /** The share before it became smaller, which counts until `heldUntilMs`. */
  readonly held: number;
  readonly heldUntilMs: number;
  readonly seenAtMs: number;
}

/** Returns how many calls of the last second belong to the process. */
export const readShare = ({ share, held, heldUntilMs }: ShareRow, nowMs: number): number =>
  nowMs < heldUntilMs ? Math.max(share, held) : share;

export interface Agreed {
  readonly share: number;
  /** How many other processes take part in the budget of the bot. */
  readonly others: number;
}

/** Computes the new row of a process from the rows of all. Has no effects: the store may call it again. */
export type Compute = (botId: number, rows: readonly ShareRow[], nowMs: number) => ShareRow;

/** Keeps the shares of all processes. */
export interface ShareStore {
  /** Replaces the rows of one process for these bots, while no other process changes any. */
  exchange(processId: string, botIds: readonly number[], compute: Compute): Promise<Map<number, Agreed>>;
  /** Deletes the rows of a process that stops. */
  leave(processId: string, botIds: readonly number[]): Promise<void>;
}

/** A process that has been silent for this long has no share any more. */
export const SILENT_MS = 3_000;
/** Rows of processes that are gone are deleted after this long. */
export const KEPT_SECONDS = 60;

export function agreed(rows: readonly ShareRow[], row: ShareRow): Agreed {
  const others = rows.filter((each) => each.processId !== row.processId && row.seenAtMs - each.seenAtMs < SILENT_MS);
  return { share: row.share, others: others.length };
}

/** Keeps the shares in PostgreSQL. A lock orders the processes, each of which holds it for two round trips a second. */
export function createDatabaseShares(db: Database): ShareStore {
  return {
    async exchange(processId, botIds, compute) {
      const result = new Map<number, Agreed>();
      await db.transaction(
        async (tx) => {
          result.clear();
          const [, [clock], stored] = await Promise.all([
            tx.query("SELECT pg_advisory_xact_lock(hashtext('check shares'))"),
            tx.query<{ now_ms: number }>(
              'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now_ms',
            ),
            tx.query<ShareRow & { readonly botId: number }>(
              `SELECT bot_id::float8 AS "botId", process_id AS "processId", wanted, share, held,
                      (extract(epoch FROM held_until) * 1000)::float8 AS "heldUntilMs",
                      (extract(epoch FROM seen_at) * 1000)::float8 AS "seenAtMs"
               FROM check_shares WHERE bot_id = ANY($1::bigint[])`,
              [botIds],
            ),
          ]);
          const nowMs = clock?.now_ms ?? 0;
          return botIds.map((botId) => {
            const rows = stored.filter((row) => row.botId === botId);
            const row = compute(botId, rows, nowMs);
            result.set(botId, agreed(rows, row));
            return { botId, row };
          });
        },
        (tx, rows) =>
          Promise.all([
            tx.query(
              `INSERT INTO check_shares (bot_id, process_id, wanted, share, held, held_until, seen_at)
               SELECT bot_id, $2, wanted, share, held, to_timestamp(held_until / 1000), to_timestamp(seen_at / 1000)
               FROM unnest($1::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::double precision[],
                           $7::double precision[]) AS t (bot_id, wanted, share, held, held_until, seen_at)
               ON CONFLICT (bot_id, process_id) DO UPDATE SET wanted = excluded.wanted, share = excluded.share,
                 held = excluded.held, held_until = excluded.held_until, seen_at = excluded.seen_at`,
              [
                rows.map(({ botId }) => botId),
                processId,
                rows.map(({ row }) => row.wanted),
                rows.map(({ row }) => row.share),
                rows.map(({ row }) => row.held),
                rows.map(({ row }) => row.heldUntilMs),
                rows.map(({ row }) => row.seenAtMs),
              ],
            ),
            tx.query('DELETE FROM check_shares WHERE seen_at < clock_timestamp() - make_interval(secs => $1)', [
              KEPT_SECONDS,
            ]),
          ]),
      );
      return result;
    },
    async leave(processId) {
      await db.query('DELETE FROM check_shares WHERE process_id = $1', [processId]);
    },
  };
}
