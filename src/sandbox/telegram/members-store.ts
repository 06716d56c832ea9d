import type { Queryable, Transaction } from '../../core/database.ts';
import { type Account, type ChatRoom, type MemberStatus, type Membership, OUTSIDE } from './context.ts';
import { ACCOUNT_COLUMNS, type AccountRow, CHAT_COLUMNS, type ChatRow, toAccount, toChat } from './peers-store.ts';

interface MemberRow {
  status: MemberStatus;
  is_member: boolean;
  is_anonymous: boolean;
}

const toMembership = (row: MemberRow): Membership => ({
  status: row.status,
  isMember: row.is_member,
  isAnonymous: row.is_anonymous,
});

export async function findMembership(db: Queryable, chatId: number, userId: number): Promise<Membership | undefined> {
  const [row] = await db.query<MemberRow>(
    'SELECT status, is_member, is_anonymous FROM sandbox.tg_members WHERE chat_id = $1 AND user_id = $2',
    [chatId, userId],
  );
  return row && toMembership(row);
}

/** Returns the membership, locked until commit, so that only one of two simultaneous joins changes it. */
export async function lockMembership(tx: Transaction, chatId: number, userId: number): Promise<Membership> {
  await tx.query(
    `INSERT INTO sandbox.tg_members (chat_id, user_id, status, is_member) VALUES ($1, $2, 'left', false)
     ON CONFLICT DO NOTHING`,
    [chatId, userId],
  );
  const [row] = await tx.query<MemberRow>(
    'SELECT status, is_member, is_anonymous FROM sandbox.tg_members WHERE chat_id = $1 AND user_id = $2 FOR UPDATE',
    [chatId, userId],
  );
  return row ? toMembership(row) : OUTSIDE;
}

export async function writeMembership(
  tx: Transaction,
  chatId: number,
  userId: number,
  membership: Membership,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox.tg_members AS m (chat_id, user_id, status, is_member, joined_at, is_anonymous)
     VALUES ($1, $2, $3, $4, CASE WHEN $4 THEN $5::timestamptz END, $6)
     ON CONFLICT (chat_id, user_id) DO UPDATE SET status = excluded.status, is_member = excluded.is_member,
       joined_at = COALESCE(excluded.joined_at, m.joined_at), is_anonymous = excluded.is_anonymous`,
    [chatId, userId, membership.status, membership.isMember, at, membership.isAnonymous ?? false],
  );
}

export interface MembershipView {
  readonly chat: ChatRoom | undefined;
  readonly user: Account | undefined;
  readonly member: Membership;
  readonly caller: Membership;
}

interface ViewRow extends AccountRow, ChatRow {
  status: MemberStatus | null;
  is_member: boolean | null;
  is_anonymous: boolean | null;
  caller_status: MemberStatus | null;
}

/** Reads everything that getChatMember needs in one query over primary keys. */
export async function viewMembership(
  db: Queryable,
  chatId: number,
  userId: number,
  callerId: number,
): Promise<MembershipView> {
  const [row] = await db.query<ViewRow>(
    `SELECT ${CHAT_COLUMNS}, ${ACCOUNT_COLUMNS}, m.status, m.is_member,
       m.is_anonymous, a.status AS caller_status
     FROM (SELECT $1::bigint AS chat_id, $2::bigint AS user_id, $3::bigint AS caller_id) q
     LEFT JOIN sandbox.tg_chats c ON c.chat_id = q.chat_id
     LEFT JOIN sandbox.tg_users u ON u.user_id = q.user_id
     LEFT JOIN sandbox.tg_members m ON m.chat_id = q.chat_id AND m.user_id = q.user_id
     LEFT JOIN sandbox.tg_members a ON a.chat_id = q.chat_id AND a.user_id = q.caller_id`,
    [chatId, userId, callerId],
  );
  // An outer join without a match returns NULL in every column, NOT NULL columns included.
  if (!row || (row.chat_id as bigint | null) === null)
    return { chat: undefined, user: undefined, member: OUTSIDE, caller: OUTSIDE };
  return {
    chat: toChat(row),
    user: (row.user_id as bigint | null) === null ? undefined : toAccount(row),
    member: row.status
      ? { status: row.status, isMember: row.is_member === true, isAnonymous: row.is_anonymous === true }
      : OUTSIDE,
    caller: row.caller_status ? { status: row.caller_status, isMember: true } : OUTSIDE,
  };
}

export interface Administrator extends Membership {
  readonly user: Account;
}

export async function listAdmins(db: Queryable, chatId: number): Promise<Administrator[]> {
  const rows = await db.query<AccountRow & MemberRow>(
    `SELECT ${ACCOUNT_COLUMNS}, m.status, m.is_member, m.is_anonymous FROM sandbox.tg_members m
     JOIN sandbox.tg_users u ON u.user_id = m.user_id
     WHERE m.chat_id = $1 AND m.status IN ('creator', 'administrator')
     ORDER BY m.status DESC, m.user_id LIMIT 50`,
    [chatId],
  );
  return rows.map((row) => ({ user: toAccount(row), ...toMembership(row) }));
}

/** Returns the chats of which a person is an administrator, newest first. */
export async function listAdministered(db: Queryable, userId: number, limit: number): Promise<ChatRoom[]> {
  const rows = await db.query<ChatRow>(
    `SELECT ${CHAT_COLUMNS} FROM sandbox.tg_members m
     JOIN sandbox.tg_chats c ON c.chat_id = m.chat_id
     WHERE m.user_id = $1 AND m.status IN ('creator', 'administrator')
     ORDER BY c.created_at DESC, c.chat_id LIMIT $2`,
    [userId, limit],
  );
  return rows.map(toChat);
}

/** Moves all members and invite links of one chat to another. */
export async function moveMembers(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.query('UPDATE sandbox.tg_members SET chat_id = $2 WHERE chat_id = $1', [from, to]);
  await tx.query('UPDATE sandbox.tg_invite_links SET chat_id = $2 WHERE chat_id = $1', [from, to]);
}

export async function listBotMembers(
  db: Queryable,
  chatId: number,
): Promise<{ readonly botId: number; readonly isAdmin: boolean }[]> {
  const rows = await db.query<{ bot_id: bigint; is_admin: boolean }>(
    `SELECT b.bot_id, m.status IN ('creator', 'administrator') AS is_admin FROM sandbox.tg_members m
     JOIN sandbox.tg_bots b ON b.bot_id = m.user_id WHERE m.chat_id = $1 AND m.is_member ORDER BY b.bot_id LIMIT 50`,
    [chatId],
  );
  return rows.map((row) => ({ botId: Number(row.bot_id), isAdmin: row.is_admin }));
}

export async function countMembers(db: Queryable, chatId: number): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    'SELECT count(*) FROM sandbox.tg_members WHERE chat_id = $1 AND is_member',
    [chatId],
  );
  return Number(row?.count ?? 0n);
}

/** A bot has met a person who wrote to it, or who is or was in a chat of which it is an administrator. */
export async function hasMet(db: Queryable, botId: number, userId: number): Promise<boolean> {
  const rows = await db.query<{ met: number }>(
    `SELECT 1 AS met FROM sandbox.tg_members m WHERE m.user_id = $2 AND (m.chat_id = $1 OR EXISTS (
       SELECT FROM sandbox.tg_members a WHERE a.chat_id = m.chat_id AND a.user_id = $1
         AND a.status IN ('creator', 'administrator'))) LIMIT 1`,
    [botId, userId],
  );
  return rows.length > 0;
}

export async function insertJoinRequest(tx: Transaction, chatId: number, userId: number, at: Date): Promise<boolean> {
  const rows = await tx.query<{ user_id: bigint }>(
    `INSERT INTO sandbox.tg_join_requests (chat_id, user_id, requested_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING user_id`,
    [chatId, userId, at],
  );
  return rows.length > 0;
}

export async function takeJoinRequest(tx: Transaction, chatId: number, userId: number): Promise<boolean> {
  const rows = await tx.query<{ user_id: bigint }>(
    'DELETE FROM sandbox.tg_join_requests WHERE chat_id = $1 AND user_id = $2 RETURNING user_id',
    [chatId, userId],
  );
  return rows.length > 0;
}

export async function insertInviteLink(tx: Queryable, link: string, chatId: number, body: object): Promise<void> {
  await tx.query('INSERT INTO sandbox.tg_invite_links (invite_link, chat_id, body) VALUES ($1, $2, $3)', [
    link,
    chatId,
    JSON.stringify(body),
  ]);
}

export async function rewriteInviteLink(db: Queryable, link: string, body: object): Promise<void> {
  await db.query('UPDATE sandbox.tg_invite_links SET body = $2 WHERE invite_link = $1', [link, JSON.stringify(body)]);
}

export async function revokeInviteLinks(tx: Transaction, chatId: number): Promise<void> {
  await tx.query(`UPDATE sandbox.tg_invite_links SET body = body || '{"is_revoked": true}' WHERE chat_id = $1`, [
    chatId,
  ]);
}

export async function findInviteLink<Body extends object>(
  db: Queryable,
  link: string,
  chatId: number,
): Promise<Body | undefined> {
  const [row] = await db.query<{ body: Body }>(
    'SELECT body FROM sandbox.tg_invite_links WHERE invite_link = $1 AND chat_id = $2',
    [link, chatId],
  );
  return row?.body;
}
