import type { Queryable, Transaction } from '../../core/database.ts';
import type { Account, ChatType } from './context.ts';
import { ACCOUNT_COLUMNS } from './peers-store.ts';

/** A person reads the snapshot, and a load test creates a million users, so it is limited. */
const SNAPSHOT_LIMIT = 1_000;

export interface ChatSummary {
  readonly chat_id: number;
  readonly type: ChatType | 'bot';
  readonly title: string;
  readonly username: string | null;
  readonly invite_link: string | null;
  readonly members: number;
}

export async function listPeople(db: Queryable): Promise<Account[]> {
  const rows = await db.query<Account>(
    `SELECT ${ACCOUNT_COLUMNS} FROM sandbox.tg_users u WHERE NOT u.is_bot
     ORDER BY u.created_at DESC, u.user_id DESC LIMIT $1`,
    [SNAPSHOT_LIMIT],
  );
  return rows.toReversed();
}

/** Returns channels, groups and bots with their number of members, without the bots of the service. */
export function listChats(db: Queryable): Promise<ChatSummary[]> {
  return db.query<ChatSummary>(
    `SELECT c.chat_id::float8, c.type, c.title, c.username, c.invite_link, (SELECT count(*)::int FROM sandbox.tg_members m JOIN sandbox.tg_users u USING (user_id)
                  WHERE m.chat_id = c.chat_id AND m.is_member AND NOT u.is_bot) AS members
     FROM (SELECT chat_id, type, title, username, invite_link, created_at FROM sandbox.tg_chats WHERE migrated_to IS NULL
           UNION ALL
           SELECT b.bot_id, 'bot', u.first_name, u.username, NULL, u.created_at
           FROM sandbox.tg_bots b JOIN sandbox.tg_users u ON u.user_id = b.bot_id WHERE NOT b.is_registered
           ORDER BY created_at DESC, chat_id LIMIT $1) c
     ORDER BY c.created_at, c.chat_id DESC`,
    [SNAPSHOT_LIMIT],
  );
}

/** Returns a channel, group or bot that an order can advertise. */
export async function findChat(db: Queryable, chatId: number): Promise<Omit<ChatSummary, 'members'> | undefined> {
  const [chat] = await db.query<Omit<ChatSummary, 'members'>>(
    `SELECT chat_id::float8, type, title, username, invite_link FROM sandbox.tg_chats WHERE chat_id = $1
     UNION ALL
     SELECT b.bot_id, 'bot', u.first_name, u.username, NULL
     FROM sandbox.tg_bots b JOIN sandbox.tg_users u ON u.user_id = b.bot_id WHERE b.bot_id = $1 AND NOT b.is_registered`,
    [chatId],
  );
  return chat;
}

/**
 * Deletes everything except the registered bots: their pollers are running, and a response of 401 would end them. Update
 * ids continue after the highest one.
 */
export async function clearEverything(tx: Transaction): Promise<{ bot: number; id: number }[]> {
  await tx.query(
    `TRUNCATE sandbox.tg_chats, sandbox.tg_members, sandbox.tg_join_requests, sandbox.tg_invite_links,
       sandbox.tg_updates, sandbox.tg_messages, sandbox.tg_callback_queries, sandbox.tg_files, sandbox.tg_faults,
       sandbox.tg_bot_father_dialogues, sandbox.inbox`,
  );
  await tx.query(
    `SELECT setval('sandbox.tg_update_floor', GREATEST(last_value,
       (SELECT COALESCE(max(last_update_id), 0) FROM sandbox.tg_bots))) FROM sandbox.tg_update_floor`,
  );
  await tx.query('DELETE FROM sandbox.tg_bots WHERE NOT is_registered');
  await tx.query(
    'DELETE FROM sandbox.tg_users u WHERE NOT EXISTS (SELECT FROM sandbox.tg_bots WHERE bot_id = u.user_id)',
  );
  await tx.query(
    'DELETE FROM sandbox.tg_names n WHERE NOT EXISTS (SELECT FROM sandbox.tg_bots WHERE bot_id = n.peer_id)',
  );
  return tx.query<{ bot: number; id: number }>(
    `UPDATE sandbox.tg_bots SET confirmed_update_id = last_update_id
     RETURNING bot_id::float8 AS bot, confirmed_update_id::float8 AS id`,
  );
}
