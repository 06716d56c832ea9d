import type { Queryable } from '../../core/database.ts';
import { LEARNED_FOR_DAYS, type StoredUser } from './user-store.ts';

export interface SampledUser extends StoredUser {
  readonly facts: unknown;
}

export interface Sample {
  /** The number of all users: exact for a small table, an estimate for a large one. */
  readonly total: number;
  readonly users: readonly SampledUser[];
}

/**
 * The maximum number of table pages that a sample reads: 8 MB, whatever the size of the table. Users on one page came
 * at the same time and are similar, so the sample takes a few users from each of many pages.
 */
const PAGES = 1_000;
/** A rough guess for a table without statistics. It only has to keep the sample from taking all users or none. */
const USERS_ON_A_PAGE = 50;

/** Returns a random sample of about `size` users, or all users when there are fewer. Every user is equally likely. */
export async function sampleUsers(db: Queryable, size: number, now: Date): Promise<Sample> {
  const { pages, estimate } = await measure(db);
  const isSmall = pages <= PAGES;
  const total = isSmall ? await count(db) : estimate;
  const pageShare = isSmall ? 1 : PAGES / pages;
  // Before the first ANALYZE the total is unknown; the size of the sample then gives the estimate.
  const expected = total ?? pages * USERS_ON_A_PAGE;
  const userShare = Math.min(1, size / Math.max(1, expected * pageShare));
  const users = await readSample(db, { pageShare, userShare, now });
  return { total: total ?? Math.round(users.length / (pageShare * userShare)), users };
}

/**
 * Returns the size of the table and an estimate of its rows: pages now × rows per page at the last ANALYZE. Adds up the
 * partitions of a partitioned table.
 */
async function measure(db: Queryable): Promise<{ pages: number; estimate: number | undefined }> {
  const [size] = await db.query<{ pages: bigint; pages_then: number; rows_then: number }>(
    `SELECT (sum(pg_relation_size(oid)) / current_setting('block_size')::bigint)::bigint AS pages,
            sum(relpages)::int AS pages_then, sum(greatest(reltuples, 0))::float8 AS rows_then
     FROM pg_class
     WHERE relkind = 'r' AND (oid = 'audience_users'::regclass
       OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'audience_users'::regclass))`,
    [],
  );
  const pages = Number(size?.pages ?? 0);
  const isKnown = size !== undefined && size.pages_then > 0 && size.rows_then > 0;
  return { pages, estimate: isKnown ? Math.round((size.rows_then / size.pages_then) * pages) : undefined };
}

async function count(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: bigint }>('SELECT count(*) AS total FROM audience_users', []);
  return Number(row?.total ?? 0);
}

/** Selects the facts of a user `u` and the values learned in the $2 days before $1. */
const SAMPLED_COLUMNS = `u.user_id::float8 AS "userId", u.first_seen_at AS "firstSeenAt", u.facts,
  EXISTS (SELECT FROM human_checks h WHERE h.user_id = u.user_id) AS "isHumanChecked",
  coalesce(
    (SELECT jsonb_object_agg(v.field, v.value) FROM audience_values v
     WHERE v.user_id = u.user_id AND v.learned_at > $1::timestamptz - make_interval(days => $2)), '{}') AS learned`;

async function readSample(
  db: Queryable,
  { pageShare, userShare, now }: { pageShare: number; userShare: number; now: Date },
): Promise<SampledUser[]> {
  return db.query<SampledUser>(
    `SELECT ${SAMPLED_COLUMNS} FROM audience_users u TABLESAMPLE SYSTEM ($3) WHERE random() < $4`,
    [now, LEARNED_FOR_DAYS, pageShare * 100, userShare],
  );
}

/** Returns the stored facts and values of these users. Users who are no longer stored are left out. */
export async function readKnownUsers(db: Queryable, userIds: readonly number[], now: Date): Promise<SampledUser[]> {
  return db.query<SampledUser>(`SELECT ${SAMPLED_COLUMNS} FROM audience_users u WHERE u.user_id = ANY($3::bigint[])`, [
    now,
    LEARNED_FOR_DAYS,
    userIds,
  ]);
}
