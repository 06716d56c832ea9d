import type { Queryable, Transaction } from '../core/database.ts';

/** A chat in which the service bot is an administrator. */
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

interface BotChatRow {
  chat_id: bigint;
  added_by: bigint;
  type: BotChat['type'];
  title: string;
  username: string | null;
  can_invite: boolean;
}

const toBotChat = (row: BotChatRow): BotChat => ({
  chatId: Number(row.chat_id),
  addedBy: Number(row.added_by),
  type: row.type,
  title: row.title,
  username: row.username,
  canInvite: row.can_invite,
});

export async function saveBotChat(db: Queryable, chat: BotChat, at: Date): Promise<void> {
  await db.query(
    `INSERT INTO bot_chats AS c (chat_id, added_by, type, title, username, can_invite, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (chat_id) DO UPDATE SET added_by = excluded.added_by, type = excluded.type, title = excluded.title,
       username = excluded.username, can_invite = excluded.can_invite, updated_at = excluded.updated_at`,
    [chat.chatId, chat.addedBy, chat.type, chat.title, chat.username, chat.canInvite, at],
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
  return moved.length > 0;
}

export async function forgetBotChat(db: Queryable, chatId: number): Promise<void> {
  await db.query('DELETE FROM bot_chats WHERE chat_id = $1', [chatId]);
}

/** Returns the chats into which a person added the bot, the latest first. */
export async function listBotChats(db: Queryable, addedBy: number, limit: number): Promise<BotChat[]> {
  const rows = await db.query<BotChatRow>(
    `SELECT chat_id, added_by, type, title, username, can_invite FROM bot_chats WHERE added_by = $1
     ORDER BY updated_at DESC, chat_id LIMIT $2`,
    [addedBy, limit],
  );
  return rows.map(toBotChat);
}
