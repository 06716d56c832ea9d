import type { Queryable, Transaction } from '../../core/database.ts';
import { type Account, type ChatRoom, type Membership, OUTSIDE } from './context.ts';
import { ACCOUNT_COLUMNS, CHAT_COLUMNS } from './peers-store.ts';

const MEMBER_COLUMNS = 'm.status, m.is_member AS "isMember", m.is_anonymous AS "isAnonymous"';
const SELECT_MEMBERSHIP = `SELECT ${MEMBER_COLUMNS} FROM sandbox.tg_members m WHERE chat_id = $1 AND user_id = $2`;

export async function findMembership(db: Queryable, chatId: number, userId: number): Promise<Membership | undefined> {
  return (await db.query<Membership>(SELECT_MEMBERSHIP, [chatId, userId]))[0];
}

/** Returns the membership, locked until commit, so that only one of two simultaneous joins changes it. */
export async function lockMembership(tx: Transaction, chatId: number, userId: number): Promise<Membership> {
  await tx.query(
    `INSERT INTO sandbox.tg_members (chat_id, user_id, status, is_member) VALUES ($1, $2, 'left', false)
     ON CONFLICT DO NOTHING`,
    [chatId, userId],
  );
  const [membership] = await tx.query<Membership>(`${SELECT_MEMBERSHIP} FOR UPDATE`, [chatId, userId]);
  return membership ?? OUTSIDE;
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
  readonly chat: ChatRoom | null;
  readonly user: Account | null;
  readonly member: Membership | null;
  readonly caller: Membership | null;
}

/** Reads everything that getChatMember needs in one query over primary keys. */
export async function viewMembership(
  db: Queryable,
  chatId: number,
  userId: number,
  callerId: number,
): Promise<MembershipView | undefined> {
  const membershipOf = (user: string): string =>
    `SELECT to_jsonb(x) FROM (SELECT ${MEMBER_COLUMNS} FROM sandbox.tg_members m
       WHERE m.chat_id = $1 AND m.user_id = ${user}) x`;
  const [view] = await db.query<MembershipView>(
    `SELECT (SELECT to_jsonb(x) FROM (SELECT ${CHAT_COLUMNS} FROM sandbox.tg_chats c WHERE c.chat_id = $1) x) AS chat,
       (SELECT to_jsonb(x) FROM (SELECT ${ACCOUNT_COLUMNS} FROM sandbox.tg_users u WHERE u.user_id = $2) x) AS "user",
       (${membershipOf('$2')}) AS member, (${membershipOf('$3')}) AS caller`,
    [chatId, userId, callerId],
  );
  return view;
}

export interface Administrator extends Membership {
  readonly user: Account;
}

export async function listAdmins(db: Queryable, chatId: number): Promise<Administrator[]> {
  const rows = await db.query<Account & Membership>(
    `SELECT ${ACCOUNT_COLUMNS}, ${MEMBER_COLUMNS} FROM sandbox.tg_members m
     JOIN sandbox.tg_users u ON u.user_id = m.user_id
     WHERE m.chat_id = $1 AND m.status IN ('creator', 'administrator')
     ORDER BY m.status DESC, m.user_id LIMIT 50`,
    [chatId],
  );
  return rows.map(({ status, isMember, isAnonymous = false, ...user }) => ({ user, status, isMember, isAnonymous }));
}

/** Returns the chats of which a person is an administrator, newest first. */
export function listAdministered(db: Queryable, userId: number, limit: number): Promise<ChatRoom[]> {
  return db.query<ChatRoom>(
    `SELECT ${CHAT_COLUMNS} FROM sandbox.tg_members m
     JOIN sandbox.tg_chats c ON c.chat_id = m.chat_id
     WHERE m.user_id = $1 AND m.status IN ('creator', 'administrator')
     ORDER BY c.created_at DESC, c.chat_id LIMIT $2`,
    [userId, limit],
  );
}

/** Moves all members and invite links of one chat to another. */
export async function moveMembers(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.query('UPDATE sandbox.tg_members SET chat_id = $2 WHERE chat_id = $1', [from, to]);
  await tx.query('UPDATE sandbox.tg_invite_links SET chat_id = $2 WHERE chat_id = $1', [from, to]);
}

export function listBotMembers(db: Queryable, chatId: number) {
  return db.query<{ botId: number; isAdmin: boolean }>(
    `SELECT b.bot_id::float8 AS "botId", m.status IN ('creator', 'administrator') AS "isAdmin"
     FROM sandbox.tg_members m JOIN sandbox.tg_bots b ON b.bot_id = m.user_id
     WHERE m.chat_id = $1 AND m.is_member ORDER BY b.bot_id LIMIT 50`,
    [chatId],
  );
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
