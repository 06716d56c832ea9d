import type { Database, Queryable, Transaction } from '../../core/database.ts';

/**
 * The tables with personal data of users that no money depends on. A user's request deletes these rows. Counted
 * subscriptions, tasks and memberships stay: they prevent a second payment for the same user.
 */
const PERSONAL_TABLES = [
  'audience_users',
  'audience_values',
  'confirm_refusals',
  'device_marks',
  'human_check_requests',
  'human_checks',
  'user_signals',
] as const;
type PersonalTable = (typeof PERSONAL_TABLES)[number];

/** The stored rows of one user by table, as PostgreSQL prints them. Tables without rows are left out. */
type UserData = ReadonlyMap<PersonalTable, readonly string[]>;

/** Returns what is stored about a user, for the user's own request. */
export async function readUserData(db: Queryable, userId: number): Promise<UserData> {
  const found = new Map<PersonalTable, readonly string[]>();
  for (const table of PERSONAL_TABLES) {
    const rows = await db.query<{ row: unknown }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE t.user_id = $1 LIMIT 1000`,
      [userId],
    );
    if (rows.length > 0) {
      found.set(
        table,
        rows.map(({ row }) => JSON.stringify(row)),
      );
    }
  }
  return found;
}

/** Deletes what is stored about a user. Returns the number of deleted rows. */
export async function deleteUserData(db: Database, userId: number): Promise<number> {
  return db.transaction(async (tx: Transaction) => {
    let count = 0;
    for (const table of PERSONAL_TABLES) {
      count += (await tx.query(`DELETE FROM ${table} WHERE user_id = $1 RETURNING 1`, [userId])).length;
    }
    return count;
  });
}
