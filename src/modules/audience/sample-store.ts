import type { Queryable } from '../../core/database.ts';
import { LEARNED_FOR_DAYS, type StoredUser } from './user-store.ts';

export interface SampledUser extends StoredUser {
  readonly facts: unknown;
}

export interface Sample {
  /** How many users there are in all: counted while they are few, an estimate when they are many. */
  readonly total: number;
  readonly users: readonly SampledUser[];
}

/**
 * Pages of the table that a sample reads at most: 8 MB, however large the table is. Users on one page came at the same time
 * and are alike, so the sample takes a few users from each of many pages rather than all from a few.
 */
const PAGES = 1_000;
/** About; only to take neither all nor none of them. */
const USERS_ON_A_PAGE = 50;

/** A random part of the audience of about `size` users; all of them when there are no more. Every user is as likely. */
export async function sampleUsers(db: Queryable, size: number, now: Date): Promise<Sample> {
  const { pages, estimate } = await measure(db);
  const isSmall = pages <= PAGES;
  const total = isSmall ? await count(db) : estimate;
  const pageShare = isSmall ? 1 : PAGES / pages;
  // Before PostgreSQL has looked for the first time nobody knows how many there are; then the sample itself tells it.
  const expected = total ?? pages * USERS_ON_A_PAGE;
  const userShare = Math.min(1, size / Math.max(1, expected * pageShare));
  const users = await readSample(db, { pageShare, userShare, now });
  return { total: total ?? Math.round(users.length / (pageShare * userShare)), users };
}

/** How large the table is now, and how many rows that makes by what PostgreSQL found on a page when it last looked. */
async function measure(db: Queryable): Promise<{ pages: number; estimate: number | undefined }> {
  const [size] = await db.query<{ pages: bigint; pages_then: number; rows_then: number }>(
    `SELECT pg_relation_size(oid) / current_setting('block_size')::bigint AS pages,
            relpages AS pages_then, reltuples::float8 AS rows_then
     FROM pg_class WHERE oid = 'audience_users'::regclass`,
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

interface SampledRow {
  user_id: bigint;
  first_seen_at: Date;
  facts: unknown;
  learned: Record<string, unknown> | null;
}

/** What is known of a user `u` at the moment $1, with what was learned in the last $2 days. */
const SAMPLED_COLUMNS = `u.user_id, u.first_seen_at, u.facts,
  (SELECT jsonb_object_agg(v.field, v.value) FROM audience_values v
   WHERE v.user_id = u.user_id AND v.learned_at > $1::timestamptz - make_interval(days => $2)) AS learned`;

const toSampled = (row: SampledRow): SampledUser => ({
  userId: Number(row.user_id),
  firstSeenAt: row.first_seen_at,
  facts: row.facts,
  learned: row.learned ?? {},
});

async function readSample(
  db: Queryable,
  { pageShare, userShare, now }: { pageShare: number; userShare: number; now: Date },
): Promise<SampledUser[]> {
  const rows = await db.query<SampledRow>(
    `SELECT ${SAMPLED_COLUMNS} FROM audience_users u TABLESAMPLE SYSTEM ($3) WHERE random() < $4`,
    [now, LEARNED_FOR_DAYS, pageShare * 100, userShare],
  );
  return rows.map(toSampled);
}

/** All that is known of certain users; those whom the service has forgotten are left out. */
export async function readKnownUsers(db: Queryable, userIds: readonly number[], now: Date): Promise<SampledUser[]> {
  const rows = await db.query<SampledRow>(
    `SELECT ${SAMPLED_COLUMNS} FROM audience_users u WHERE u.user_id = ANY($3::bigint[])`,
    [now, LEARNED_FOR_DAYS, userIds],
  );
  return rows.map(toSampled);
}
