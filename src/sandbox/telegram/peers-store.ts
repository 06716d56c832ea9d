import type { Queryable, Transaction } from '../../core/database.ts';
import type { Account, Bot, ChatRoom } from './context.ts';

export const ACCOUNT_COLUMNS = `u.user_id::float8 AS id, u.is_bot AS "isBot", u.first_name AS "firstName", u.username,
  u.language_code AS "languageCode", u.is_premium AS "isPremium", u.bio, u.birthdate, u.photos, u.rating, u.gifts,
  u.audios`;

export const CHAT_COLUMNS = `c.chat_id::float8 AS id, c.type, c.title, c.username, c.invite_link AS "inviteLink",
  c.migrated_to::float8 AS "migratedTo"`;

const SELECT_BOT = `SELECT b.bot_id::float8 AS id, b.token, u.username, u.first_name AS title
  FROM sandbox.tg_bots b JOIN sandbox.tg_users u ON u.user_id = b.bot_id`;

/** Claims a username; returns false when another peer has it. A repeated claim succeeds. */
export async function claimName(tx: Transaction, username: string, peerId: number): Promise<boolean> {
  const rows = await tx.query<{ peer_id: bigint }>(
    `INSERT INTO sandbox.tg_names AS n (name, peer_id) VALUES (lower($1), $2)
     ON CONFLICT (name) DO UPDATE SET name = n.name WHERE n.peer_id = excluded.peer_id
     RETURNING n.peer_id`,
    [username, peerId],
  );
  return rows.length > 0;
}

export async function releaseName(tx: Transaction, peerId: number): Promise<void> {
  await tx.query('DELETE FROM sandbox.tg_names WHERE peer_id = $1', [peerId]);
}

export async function findPeerId(db: Queryable, username: string): Promise<number | undefined> {
  const query = 'SELECT peer_id::float8 AS id FROM sandbox.tg_names WHERE name = lower($1)';
  return (await db.query<{ id: number }>(query, [username]))[0]?.id;
}

/** Inserts an account, or fills in one that `ensureAccount` created. Returns false when the id is taken. */
export async function insertAccount(tx: Transaction, account: Account, at: Date): Promise<boolean> {
  const rows = await tx.query<{ user_id: bigint }>(
    `INSERT INTO sandbox.tg_users AS u (user_id, is_bot, first_name, username, language_code, is_premium, bio,
       birthdate, photos, rating, gifts, audios, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (user_id) DO UPDATE SET is_implicit = false, first_name = excluded.first_name,
       username = excluded.username, language_code = excluded.language_code, is_premium = excluded.is_premium,
       bio = excluded.bio, birthdate = excluded.birthdate, photos = excluded.photos, rating = excluded.rating,
       gifts = excluded.gifts, audios = excluded.audios
     WHERE u.is_implicit AND NOT excluded.is_bot
     RETURNING u.user_id`,
    [
      account.id,
      account.isBot,
      account.firstName,
      account.username,
      account.languageCode,
      account.isPremium,
      account.bio,
      account.birthdate && JSON.stringify(account.birthdate),
      account.photos,
      account.rating,
      account.gifts,
      account.audios,
      at,
    ],
  );
  return rows.length > 0;
}

export async function editAccount(tx: Transaction, account: Account): Promise<void> {
  await tx.query(
    `UPDATE sandbox.tg_users SET is_implicit = false, first_name = $2, language_code = $3, is_premium = $4, bio = $5
     WHERE user_id = $1`,
    [account.id, account.firstName, account.languageCode, account.isPremium, account.bio],
  );
}

/** Returns the account and creates it if needed: callers may use any user id without creating the person first. */
export async function ensureAccount(tx: Transaction, userId: number, at: Date): Promise<Account> {
  const [account] = await tx.query<Account>(
    `WITH made AS (
       INSERT INTO sandbox.tg_users AS u (user_id, is_implicit, first_name, created_at) VALUES ($1, true, 'Person', $2)
       ON CONFLICT (user_id) DO NOTHING RETURNING ${ACCOUNT_COLUMNS})
     SELECT * FROM made UNION ALL SELECT ${ACCOUNT_COLUMNS} FROM sandbox.tg_users u WHERE u.user_id = $1 LIMIT 1`,
    [userId, at],
  );
  if (account) return account;
  // A concurrent transaction created the account: the statement above could not see it, the next one can.
  const found = await findAccount(tx, userId);
  if (!found) throw new Error(`user ${userId} could not be made`);
  return found;
}

export async function findAccount(db: Queryable, userId: number): Promise<Account | undefined> {
  const query = `SELECT ${ACCOUNT_COLUMNS} FROM sandbox.tg_users u WHERE u.user_id = $1`;
  return (await db.query<Account>(query, [userId]))[0];
}

export async function insertChat(tx: Transaction, chat: ChatRoom, at: Date): Promise<boolean> {
  const rows = await tx.query<{ chat_id: bigint }>(
    `INSERT INTO sandbox.tg_chats (chat_id, type, title, username, invite_link, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (chat_id) DO NOTHING RETURNING chat_id`,
    [chat.id, chat.type, chat.title, chat.username, chat.inviteLink, at],
  );
  return rows.length > 0;
}

export async function findChat(db: Queryable, chatId: number): Promise<ChatRoom | undefined> {
  const query = `SELECT ${CHAT_COLUMNS} FROM sandbox.tg_chats c WHERE c.chat_id = $1`;
  return (await db.query<ChatRoom>(query, [chatId]))[0];
}

export async function renameChat(
  tx: Transaction,
  chatId: number,
  { username, inviteLink }: { username: string | null; inviteLink: string | null },
): Promise<void> {
  await tx.query('UPDATE sandbox.tg_chats SET username = $2, invite_link = $3 WHERE chat_id = $1', [
    chatId,
    username,
    inviteLink,
  ]);
}

export async function markMigrated(tx: Transaction, chatId: number, migratedTo: number): Promise<void> {
  await tx.query('UPDATE sandbox.tg_chats SET migrated_to = $2 WHERE chat_id = $1', [chatId, migratedTo]);
}

export async function findBotByToken(db: Queryable, token: string): Promise<Bot | undefined> {
  return (await db.query<Bot>(`${SELECT_BOT} WHERE b.token = $1`, [token]))[0];
}

export async function findBot(db: Queryable, botId: number): Promise<Bot | undefined> {
  return (await db.query<Bot>(`${SELECT_BOT} WHERE b.bot_id = $1`, [botId]))[0];
}

/** Returns the bots that a person created, oldest first. */
export function listOwnedBots(db: Queryable, ownerId: number, limit: number): Promise<Bot[]> {
  return db.query<Bot>(`${SELECT_BOT} WHERE b.owner_id = $1 ORDER BY u.created_at, b.bot_id LIMIT $2`, [
    ownerId,
    limit,
  ]);
}

export async function replaceToken(tx: Transaction, botId: number, token: string): Promise<void> {
  await tx.query('UPDATE sandbox.tg_bots SET token = $2 WHERE bot_id = $1', [botId, token]);
}

/** Finds a bot by its username, with or without `@`. */
export async function findBotByUsername(db: Queryable, username: string): Promise<Bot | undefined> {
  const query = `${SELECT_BOT} JOIN sandbox.tg_names n ON n.peer_id = b.bot_id WHERE n.name = lower($1)`;
  return (await db.query<Bot>(query, [username.replace(/^@/, '')]))[0];
}

interface NewBotRow {
  readonly id: number;
  readonly token: string;
  readonly isRegistered: boolean;
  readonly ownerId?: number | undefined;
}

/** Inserts the bot of an account. Its update ids start above every id that a poller has seen. */
export async function insertBot(tx: Transaction, { id, token, isRegistered, ownerId }: NewBotRow): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox.tg_bots AS b (bot_id, token, is_registered, owner_id, last_update_id, confirmed_update_id)
     SELECT $1, $2, $3, $4, last_value, last_value FROM sandbox.tg_update_floor
     ON CONFLICT (bot_id) DO UPDATE SET token = excluded.token, is_registered = b.is_registered OR excluded.is_registered`,
    [id, token, isRegistered, ownerId ?? null],
  );
}

export async function renameAccount(tx: Transaction, id: number, username: string, firstName: string): Promise<void> {
  await tx.query('UPDATE sandbox.tg_users SET username = $2, first_name = $3 WHERE user_id = $1', [
    id,
    username,
    firstName,
  ]);
}
