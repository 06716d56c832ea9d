import type { InlineKeyboardMarkup, MessageEntity } from 'grammy/types';
import type { Queryable, Transaction } from '../../core/database.ts';

/** The number of stored messages per conversation. */
const KEPT_PER_CHAT = 500;

/** A reply keyboard is stored as the bot sent it. */
export type StoredMarkup = InlineKeyboardMarkup | Record<string, unknown>;

export interface MessageContent {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  readonly markup: StoredMarkup | null;
  /** `file:7` is stored in tg_files; any other text is the address or id that the bot sent. */
  readonly photo: string | null;
}

export interface StoredMessage extends MessageContent {
  readonly id: number;
  readonly chatId: number;
  readonly fromPerson: boolean;
  readonly sentAt: Date;
  readonly editedAt: Date | null;
}

const COLUMNS = `message_id::float8 AS id, chat_id::float8 AS "chatId", from_person AS "fromPerson", text, entities,
  reply_markup AS markup, photo, sent_at AS "sentAt", edited_at AS "editedAt"`;

export interface NewMessage extends MessageContent {
  readonly botId: number;
  readonly chatId: number;
  readonly fromPerson: boolean;
}

export async function insertMessage(db: Queryable, message: NewMessage, at: Date): Promise<StoredMessage> {
  const [stored] = await db.query<StoredMessage>(
    `WITH numbered AS (
       UPDATE sandbox.tg_bots SET last_message_id = last_message_id + 1 WHERE bot_id = $1
       RETURNING bot_id, last_message_id)
     INSERT INTO sandbox.tg_messages (bot_id, message_id, chat_id, from_person, text, entities, reply_markup, photo,
       sent_at)
     SELECT bot_id, last_message_id, $2, $3, $4, $5, $6, $7, $8 FROM numbered
     RETURNING ${COLUMNS}`,
    [
      message.botId,
      message.chatId,
      message.fromPerson,
      message.text,
      JSON.stringify(message.entities),
      message.markup && JSON.stringify(message.markup),
      message.photo,
      at,
    ],
  );
  if (!stored) throw new Error(`bot ${message.botId} was deleted while it sent a message`);
  if (stored.id % 100 === 0) await trim(db, message.botId, message.chatId);
  return stored;
}

async function trim(db: Queryable, botId: number, chatId: number): Promise<void> {
  await db.query(
    `DELETE FROM sandbox.tg_messages WHERE bot_id = $1 AND chat_id = $2 AND message_id <= (
       SELECT message_id FROM sandbox.tg_messages WHERE bot_id = $1 AND chat_id = $2
       ORDER BY message_id DESC OFFSET $3 LIMIT 1)`,
    [botId, chatId, KEPT_PER_CHAT],
  );
}

export async function findMessage(
  db: Queryable,
  botId: number,
  chatId: number,
  messageId: number,
): Promise<StoredMessage | undefined> {
  const [message] = await db.query<StoredMessage>(
    `SELECT ${COLUMNS} FROM sandbox.tg_messages WHERE bot_id = $1 AND message_id = $2 AND chat_id = $3`,
    [botId, messageId, chatId],
  );
  return message;
}

export async function rewriteMessage(
  db: Queryable,
  botId: number,
  messageId: number,
  content: MessageContent,
  at: Date,
): Promise<StoredMessage | undefined> {
  const [message] = await db.query<StoredMessage>(
    `UPDATE sandbox.tg_messages SET text = $3, entities = $4, reply_markup = $5, photo = $6, edited_at = $7
     WHERE bot_id = $1 AND message_id = $2 RETURNING ${COLUMNS}`,
    [
      botId,
      messageId,
      content.text,
      JSON.stringify(content.entities),
      content.markup && JSON.stringify(content.markup),
      content.photo,
      at,
    ],
  );
  return message;
}

export async function removeMessage(db: Queryable, botId: number, chatId: number, messageId: number): Promise<boolean> {
  const rows = await db.query<{ message_id: bigint }>(
    'DELETE FROM sandbox.tg_messages WHERE bot_id = $1 AND message_id = $2 AND chat_id = $3 RETURNING message_id',
    [botId, messageId, chatId],
  );
  return rows.length > 0;
}

/** Returns the newest messages of one conversation, newest first. */
export function latestMessages(db: Queryable, botId: number, chatId: number, limit: number): Promise<StoredMessage[]> {
  return db.query<StoredMessage>(
    `SELECT ${COLUMNS} FROM sandbox.tg_messages WHERE bot_id = $1 AND chat_id = $2
     ORDER BY message_id DESC LIMIT $3`,
    [botId, chatId, limit],
  );
}

export async function insertCallbackQuery(tx: Transaction, botId: number, userId: number, at: Date): Promise<string> {
  const [row] = await tx.query<{ query_id: bigint }>(
    'INSERT INTO sandbox.tg_callback_queries (bot_id, user_id, pressed_at) VALUES ($1, $2, $3) RETURNING query_id',
    [botId, userId, at],
  );
  // The page shows only the newest notice of a conversation.
  await tx.query(
    `DELETE FROM sandbox.tg_callback_queries WHERE bot_id = $1 AND user_id = $2 AND query_id <= (
       SELECT query_id FROM sandbox.tg_callback_queries WHERE bot_id = $1 AND user_id = $2
       ORDER BY query_id DESC OFFSET 20 LIMIT 1)`,
    [botId, userId],
  );
  return String(row?.query_id);
}

export interface CallbackAnswer {
  readonly text: string | null;
  readonly showAlert: boolean;
}

/** Returns false when the query does not exist or was already answered. */
export async function answerCallbackQuery(
  db: Queryable,
  botId: number,
  queryId: bigint,
  answer: CallbackAnswer,
  at: Date,
): Promise<boolean> {
  const rows = await db.query<{ query_id: bigint }>(
    `UPDATE sandbox.tg_callback_queries SET answered_at = $3, answer = $4, show_alert = $5
     WHERE query_id = $2 AND bot_id = $1 AND answered_at IS NULL RETURNING query_id`,
    [botId, queryId, at, answer.text, answer.showAlert],
  );
  return rows.length > 0;
}

/** Returns the notice that the bot showed after the last press. */
export async function latestNotice(db: Queryable, botId: number, userId: number) {
  const [notice] = await db.query<CallbackAnswer & { readonly isAnswered: boolean }>(
    `SELECT answer AS text, show_alert AS "showAlert", answered_at IS NOT NULL AS "isAnswered"
     FROM sandbox.tg_callback_queries WHERE bot_id = $1 AND user_id = $2 ORDER BY query_id DESC LIMIT 1`,
    [botId, userId],
  );
  return notice;
}
