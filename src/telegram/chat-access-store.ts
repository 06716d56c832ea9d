import type { Queryable, Transaction } from '../core/database.ts';

/** A chat in which one of our bots is an administrator. */
export interface BotChat {
  readonly chatId: number;
  /** The Telegram id of the user who made it one. */
  readonly addedBy: number;
  readonly type: 'channel' | 'supergroup' | 'group';
  readonly title: string;
  readonly username: string | null;
  /** Whether the bot may create invite links, which a private chat needs. */
  readonly canInvite: boolean;
}

/** The bot: a checker bot by its Telegram id; null: the management bot. */
type ChatBot = number | null;

export async function saveBotChat(db: Queryable, chat: BotChat, at: Date, checkerId: ChatBot = null): Promise<void> {
  const values = [chat.chatId, chat.addedBy, chat.type, chat.title, chat.username, chat.canInvite, at];
  const isOwn = checkerId === null;
  await db.query(
    `INSERT INTO ${isOwn ? 'bot_chats' : 'checker_chats'} AS c
       (chat_id, added_by, type, title, username, can_invite, updated_at${isOwn ? '' : ', bot_id'})
     VALUES ($1, $2, $3, $4, $5, $6, $7${isOwn ? '' : ', $8'})
     ON CONFLICT (${isOwn ? 'chat_id' : 'chat_id, bot_id'}) DO UPDATE SET added_by = excluded.added_by,
       type = excluded.type, title = excluded.title, username = excluded.username, can_invite = excluded.can_invite,
       updated_at = excluded.updated_at`,
    isOwn ? values : [...values, checkerId],
  );
}

/** Gives the chat its new id. Returns whether the old one was stored. */
export async function moveBotChat(tx: Transaction, { from, to }: { from: number; to: number }): Promise<boolean> {
  const moved = await tx.query(
    `WITH old AS (DELETE FROM bot_chats WHERE chat_id = $1 RETURNING *)
     INSERT INTO bot_chats (chat_id, added_by, type, title, username, can_invite, updated_at)
     SELECT $2, added_by, 'supergroup', title, username, can_invite, updated_at FROM old
     ON CONFLICT (chat_id) DO UPDATE SET added_by = excluded.added_by RETURNING chat_id`,
    [from, to],
  );
  const movedOfCheckers = await tx.query(
    `WITH old AS (DELETE FROM checker_chats WHERE chat_id = $1 RETURNING *)
     INSERT INTO checker_chats (chat_id, bot_id, added_by, type, title, username, can_invite, updated_at)
     SELECT $2, bot_id, added_by, 'supergroup', title, username, can_invite, updated_at FROM old
     ON CONFLICT (chat_id, bot_id) DO UPDATE SET added_by = excluded.added_by RETURNING chat_id`,
    [from, to],
  );
  return moved.length > 0 || movedOfCheckers.length > 0;
}

export async function forgetBotChat(db: Queryable, chatId: number, checkerId: ChatBot = null): Promise<void> {
  if (checkerId === null) await db.query('DELETE FROM bot_chats WHERE chat_id = $1', [chatId]);
  else await db.query('DELETE FROM checker_chats WHERE chat_id = $1 AND bot_id = $2', [chatId, checkerId]);
}

/** Returns the chats into which a person added one of our bots, the latest first. */
export async function listBotChats(db: Queryable, addedBy: number, limit: number): Promise<BotChat[]> {
  return db.query<BotChat>(
    `SELECT chat_id::float8 AS "chatId", added_by::float8 AS "addedBy", type, title, username, can_invite AS "canInvite"
     FROM (SELECT DISTINCT ON (chat_id) *
           FROM (SELECT chat_id, added_by, type, title, username, can_invite, updated_at FROM bot_chats WHERE added_by = $1
                 UNION ALL
                 SELECT chat_id, added_by, type, title, username, can_invite, updated_at FROM checker_chats WHERE added_by = $1) c
           ORDER BY chat_id, updated_at DESC) AS latest
     ORDER BY updated_at DESC, chat_id LIMIT $2`,
    [addedBy, limit],
  );
}

/** Returns our bots that are administrators of a chat, checker bots first. */
export async function listBotsIn(db: Queryable, chatId: number): Promise<ChatBot[]> {
  const rows = await db.query<{ botId: ChatBot }>(
    `SELECT bot_id::float8 AS "botId" FROM checker_chats WHERE chat_id = $1
     UNION ALL SELECT NULL FROM bot_chats WHERE chat_id = $1 ORDER BY "botId" NULLS LAST`,
    [chatId],
  );
  return rows.map(({ botId }) => botId);
}
