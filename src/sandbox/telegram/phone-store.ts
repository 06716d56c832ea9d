import type { Queryable } from '../../core/database.ts';
import { BOT_FATHER } from './bot-father/bot-father.ts';
import type { ChatType } from './context.ts';

/** A person whose phone the page can show. */
export interface PersonSummary {
  readonly user_id: number;
  readonly first_name: string;
  readonly username: string | null;
  readonly language_code: string | null;
  readonly is_premium: boolean;
}

/** One entry of a person's chat list. */
export interface PhoneChat {
  readonly chat_id: number;
  readonly type: ChatType | 'bot';
  readonly title: string;
  readonly username: string | null;
  /** Joined, or for a bot: started and not blocked. */
  readonly is_member: boolean;
  readonly is_blocked: boolean;
  /** Counted up to 1,001. */
  readonly members: number;
  /** Whether it is a bot of the service, which no order advertises. */
  readonly is_service: boolean;
  readonly last: { readonly text: string; readonly from_person: boolean; readonly date: number } | null;
}

/** The page shows only the first and the latest persons, because a load test creates a million. */
const SHOWN_PERSONS = 30;
const SHOWN_CHATS = 40;
const PREVIEW_LENGTH = 120;
const MAX_COUNTED_MEMBERS = 1_001;

const PERSON_COLUMNS = 'user_id::float8, first_name, username, language_code, is_premium';

/** Returns persons whose name or username contains the text, or whose id it is; the newest first. */
export function findPersons(db: Queryable, text: string): Promise<PersonSummary[]> {
  return db.query<PersonSummary>(
    `SELECT ${PERSON_COLUMNS} FROM sandbox.tg_users
     WHERE NOT is_bot AND (position(lower($1) IN lower(first_name)) > 0
       OR position(lower($1) IN lower(username)) > 0 OR user_id::text = $1)
     ORDER BY created_at DESC, user_id LIMIT $2`,
    [text, SHOWN_PERSONS],
  );
}

export function listPersons(db: Queryable): Promise<PersonSummary[]> {
  return db.query<PersonSummary>(
    `SELECT user_id, first_name, username, language_code, is_premium FROM (
       (SELECT ${PERSON_COLUMNS}, created_at FROM sandbox.tg_users WHERE NOT is_bot ORDER BY created_at, tg_users.user_id
        LIMIT $1)
       UNION
       (SELECT ${PERSON_COLUMNS}, created_at FROM sandbox.tg_users WHERE NOT is_bot
        ORDER BY created_at DESC, tg_users.user_id DESC LIMIT $1)) shown
     ORDER BY created_at, user_id`,
    [SHOWN_PERSONS],
  );
}

/** Returns all chats as this person's phone lists them: the service's bots, BotFather last of them, then the oldest first. */
export function listPhoneChats(db: Queryable, userId: number): Promise<PhoneChat[]> {
  return db.query<PhoneChat>(
    `WITH peers AS (
       (SELECT chat_id, type, title, username, created_at, false AS is_service FROM sandbox.tg_chats
        ORDER BY created_at DESC, chat_id LIMIT $2)
       UNION ALL
       (SELECT b.bot_id, 'bot', u.first_name, u.username, u.created_at, b.is_registered
        FROM sandbox.tg_bots b JOIN sandbox.tg_users u ON u.user_id = b.bot_id
        ORDER BY b.is_registered DESC, u.created_at DESC, b.bot_id LIMIT $2))
     SELECT p.chat_id::float8, p.type, p.title, p.username, p.is_service, coalesce(m.is_member, false) AS is_member,
       coalesce(m.status = 'kicked', false) AS is_blocked, audience.members, last.message AS last
     FROM peers p
     LEFT JOIN sandbox.tg_members m ON m.chat_id = p.chat_id AND m.user_id = $1
     CROSS JOIN LATERAL (SELECT count(*)::int AS members FROM (
       SELECT FROM sandbox.tg_members c JOIN sandbox.tg_users u USING (user_id)
       WHERE c.chat_id = p.chat_id AND c.is_member AND NOT u.is_bot LIMIT $4) counted) audience
     LEFT JOIN LATERAL (
       SELECT jsonb_build_object('text', left(text, $3), 'from_person', from_person,
                                 'date', floor(extract(epoch FROM sent_at))::bigint) AS message
       FROM sandbox.tg_messages WHERE bot_id = p.chat_id AND chat_id = $1
       ORDER BY message_id DESC LIMIT 1) last ON p.type = 'bot'
     ORDER BY p.is_service DESC, p.chat_id = $5, p.created_at, p.chat_id DESC`,
    [userId, SHOWN_CHATS, PREVIEW_LENGTH, MAX_COUNTED_MEMBERS, BOT_FATHER.id],
  );
}
