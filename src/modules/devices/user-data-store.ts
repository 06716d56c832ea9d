import type { Database, Queryable, Transaction } from '../../core/database.ts';

/**
 * The tables with personal data of users that no money depends on. A user's request deletes these rows.
 */
const DELETED_TABLES = [
  'audience_users',
  'audience_values',
  'confirm_refusals',
  'device_marks',
  'human_check_requests',
  'human_checks',
  'stay_checks',
  'user_signals',
] as const;
/** They prevent a second payment for the same user, so a request only shows them. */
const KEPT_TABLES = ['counted_subscriptions', 'memberships', 'task_lists', 'tasks'] as const;

/** The rows of one user by table, as PostgreSQL prints them. Tables without rows are left out. */
export interface UserData {
  /** Everything that is stored about the user. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** The tables in `rows` that a deletion keeps. */
  readonly keptTables: readonly string[];
}

/** A case names users in its examples and in its graph. */
const NAMES_USER = `(evidence->'examples' @> jsonb_build_array(jsonb_build_object('user_id', $1::bigint))
  OR evidence->'graph'->'nodes' @> jsonb_build_array(jsonb_build_object('id', 'user:' || $1::bigint)))`;

/** Returns what is stored about a user, for the user's own request. */
export async function readUserData(db: Queryable, userId: number): Promise<UserData> {
  const found = new Map<string, readonly string[]>();
  const read = async (table: string, sql: string): Promise<void> => {
    const rows = await db.query<{ row: unknown }>(sql, [userId]);
    if (rows.length === 0) return;
    found.set(
      table,
      rows.map(({ row }) => JSON.stringify(row)),
    );
  };
  for (const table of [...DELETED_TABLES, ...KEPT_TABLES]) {
    await read(table, `SELECT to_jsonb(t) AS row FROM ${table} t WHERE t.user_id = $1 LIMIT 1000`);
  }
  await read(
    'cases',
    `SELECT jsonb_build_object('case_id', c.id, 'kind', c.kind, 'opened_at', c.opened_at, 'examples',
              (SELECT jsonb_agg(e) FROM jsonb_array_elements(c.evidence->'examples') e
               WHERE e->'user_id' = to_jsonb($1::bigint))) AS row
     FROM cases c WHERE ${NAMES_USER} ORDER BY c.id LIMIT 1000`,
  );
  return { rows: found, keptTables: KEPT_TABLES.filter((table) => found.has(table)) };
}

/** Deletes what is stored about a user, as far as no money depends on it. Returns the number of deleted rows. */
export async function deleteUserData(db: Database, userId: number): Promise<number> {
  return db.transaction(async (tx: Transaction) => {
    let count = 0;
    for (const table of DELETED_TABLES) {
      count += (await tx.query(`DELETE FROM ${table} WHERE user_id = $1 RETURNING 1`, [userId])).length;
    }
    // The case stays without the user: its figures and the decision concern the owner of a bot.
    const cases = await tx.query(
      `UPDATE cases SET evidence = evidence || jsonb_build_object(
         'examples', coalesce((SELECT jsonb_agg(e) FROM jsonb_array_elements(evidence->'examples') e
                               WHERE e->'user_id' IS DISTINCT FROM to_jsonb($1::bigint)), '[]'),
         'graph', jsonb_build_object(
           'nodes', coalesce((SELECT jsonb_agg(n) FROM jsonb_array_elements(evidence->'graph'->'nodes') n
                              WHERE n->>'id' <> 'user:' || $1::bigint), '[]'),
           'edges', coalesce((SELECT jsonb_agg(e) FROM jsonb_array_elements(evidence->'graph'->'edges') e
                              WHERE 'user:' || $1::bigint NOT IN (e->>'from', e->>'to')), '[]')))
       WHERE ${NAMES_USER} RETURNING 1`,
      [userId],
    );
    return count + cases.length;
  });
}
