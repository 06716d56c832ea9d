import type { Queryable, Transaction } from '../../core/database.ts';
import type { Session, SessionKind, SessionOwner, Theme } from './session.ts';

const OWNER_COLUMNS = `a.id::float8 AS "accountId", a.telegram_user_id::float8 AS "telegramUserId", a.name,
  coalesce(a.language, a.telegram_language) AS language`;

const SELECT_SESSIONS = `
  SELECT s.id::float8 AS id, s.kind, s.is_operator AS "isOperator", s.device, s.theme, s.created_at AS "createdAt",
         s.seen_at AS "seenAt", s.expires_at AS "expiresAt", s.flash_path AS "flashPath",
         a.banned_at IS NOT NULL AS "isBanned", ${OWNER_COLUMNS}
  FROM console_sessions s JOIN accounts a ON a.id = s.account_id`;

type SessionRow = Omit<Session, 'owner'> & SessionOwner;

const toSession = ({ accountId, telegramUserId, name, language, ...session }: SessionRow): Session => ({
  ...session,
  owner: { accountId, telegramUserId, name, language },
});

export async function findSessionByHash(db: Queryable, tokenHash: Buffer): Promise<Session | undefined> {
  const [row] = await db.query<SessionRow>(`${SELECT_SESSIONS} WHERE s.token_hash = $1`, [tokenHash]);
  return row && toSession(row);
}

/** Returns sessions, the last used first. */
export async function listSessionsOf(db: Queryable, accountId: number, limit: number): Promise<Session[]> {
  const rows = await db.query<SessionRow>(
    `${SELECT_SESSIONS} WHERE s.account_id = $1 ORDER BY s.seen_at DESC, s.id DESC LIMIT $2`,
    [accountId, limit],
  );
  return rows.map(toSession);
}

export interface NewSession {
  readonly tokenHash: Buffer;
  readonly accountId: number;
  readonly kind: SessionKind;
  readonly isOperator: boolean;
  readonly device: string;
  readonly theme: Theme | null;
  readonly at: Date;
  readonly expiresAt: Date;
}

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await tx.query(
    `INSERT INTO console_sessions (token_hash, account_id, kind, is_operator, device, theme, created_at, seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
    [
      session.tokenHash,
      session.accountId,
      session.kind,
      session.isOperator,
      session.device,
      session.theme,
      session.at,
      session.expiresAt,
    ],
  );
}

/** Deletes all but the newest `keep` sessions of an account, so that old sign-ins do not accumulate. */
export async function deleteOldestSessions(tx: Transaction, accountId: number, keep: number): Promise<void> {
  await tx.query(
    `DELETE FROM console_sessions WHERE id IN (
       SELECT id FROM console_sessions WHERE account_id = $1 ORDER BY id DESC OFFSET $2)`,
    [accountId, keep],
  );
}

export async function saveSeen(db: Queryable, sessionId: number, at: Date): Promise<void> {
  await db.query('UPDATE console_sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2', [sessionId, at]);
}

/** Deletes sessions of this account only. Returns the number of deleted sessions. */
export async function deleteSessions(
  db: Queryable,
  { accountId, sessionId }: { accountId: number; sessionId?: number | undefined },
): Promise<number> {
  const rows = await db.query(
    'DELETE FROM console_sessions WHERE account_id = $1 AND ($2::bigint IS NULL OR id = $2) RETURNING id',
    [accountId, sessionId ?? null],
  );
  return rows.length;
}

export async function saveFlash(
  db: Queryable,
  sessionId: number,
  flash: { path: string; sealed: Buffer },
): Promise<void> {
  await db.query('UPDATE console_sessions SET flash_path = $2, flash = $3 WHERE id = $1', [
    sessionId,
    flash.path,
    flash.sealed,
  ]);
}

/** Reads and deletes the flash of a page. A second reader gets nothing. */
export async function takeStoredFlash(db: Queryable, sessionId: number, path: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ flash: Buffer }>(
    `WITH taken AS (SELECT id, flash FROM console_sessions WHERE id = $1 AND flash_path = $2 FOR UPDATE)
     UPDATE console_sessions s SET flash_path = NULL, flash = NULL FROM taken WHERE s.id = taken.id RETURNING taken.flash`,
    [sessionId, path],
  );
  return row?.flash;
}

export async function upsertCode(
  db: Queryable,
  code: { accountId: number; codeHash: Buffer; expiresAt: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO console_codes (account_id, code_hash, expires_at) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    [code.accountId, code.codeHash, code.expiresAt],
  );
}

/** Returns the owner of a valid code. */
export async function findCode(db: Queryable, codeHash: Buffer, at: Date): Promise<SessionOwner | undefined> {
  const [row] = await db.query<SessionOwner>(
    `SELECT ${OWNER_COLUMNS} FROM console_codes c JOIN accounts a ON a.id = c.account_id
     WHERE c.code_hash = $1 AND c.expires_at > $2`,
    [codeHash, at],
  );
  return row;
}

/** Returns the owner of a valid code and deletes the code. Only one of two concurrent calls gets it. */
export async function takeCode(tx: Transaction, codeHash: Buffer, at: Date): Promise<SessionOwner | undefined> {
  const [row] = await tx.query<SessionOwner>(
    `DELETE FROM console_codes c USING accounts a
     WHERE a.id = c.account_id AND c.code_hash = $1 AND c.expires_at > $2
     RETURNING ${OWNER_COLUMNS}`,
    [codeHash, at],
  );
  return row;
}

/** Stores the hash of used init data. Returns false if it was stored before. */
export async function insertOpening(tx: Transaction, initHash: Buffer, expiresAt: Date): Promise<boolean> {
  const rows = await tx.query(
    'INSERT INTO console_used_init_data (init_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING init_hash',
    [initHash, expiresAt],
  );
  return rows.length > 0;
}

/** Deletes expired sessions and used init data. Returns the number of deleted rows. */
export async function deleteExpired(db: Queryable, at: Date, limit: number): Promise<number> {
  const sessions = await db.query(
    `DELETE FROM console_sessions WHERE id IN (
       SELECT id FROM console_sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING id`,
    [at, limit],
  );
  const openings = await db.query(
    `DELETE FROM console_used_init_data WHERE init_hash IN (
       SELECT init_hash FROM console_used_init_data WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING init_hash`,
    [at, limit],
  );
  return sessions.length + openings.length;
}
