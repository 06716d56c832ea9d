import type { ChatInviteLink, User } from 'grammy/types';
import type { Transaction } from '../../core/database.ts';
import { type Account, type Bot, type ChatRoom, type Context, isAdmin, type Membership, OUTSIDE } from './context.ts';
import type { Announce } from './events.ts';
import {
  findInviteLink,
  findMembership,
  insertJoinRequest,
  listAdmins,
  lockMembership,
  takeJoinRequest,
  writeMembership,
} from './members-store.ts';
import { ensureAccount, findAccount, findBot, findChat } from './peers-store.ts';
import { startBot } from './person-messages.ts';
import { queueUpdate, untilHandled } from './queue-updates.ts';
import type { PushedUpdate } from './updates-store.ts';
import {
  GROUP_ANONYMOUS_BOT,
  unixTime,
  wireBot,
  wireChat,
  wireMemberChange,
  wirePrivateChat,
  wireUser,
} from './wire.ts';

export type MembershipOutcome = 'changed' | 'unchanged' | 'chat_not_found';

export interface JoinOptions {
  /** No update is sent: the service has to find out by asking. */
  readonly silent?: boolean | undefined;
  readonly status?: 'creator' | 'administrator' | 'member' | 'restricted' | undefined;
  /** An administrator who acts as the group. */
  readonly anonymous?: boolean | undefined;
  /** Who did it, when it was not the member: an administrator who lets a bot in. */
  readonly by?: number | undefined;
  /** The link by which the person came, as the update then says. */
  readonly inviteLink?: string | undefined;
  /** Do not wait for the bots: a bot that lets somebody in cannot handle the update before its own call is answered. */
  readonly unattended?: boolean | undefined;
}

export interface LeaveOptions {
  readonly silent?: boolean | undefined;
  /** `kicked` when an administrator removed the person. */
  readonly status?: 'left' | 'kicked' | undefined;
  /** That administrator. */
  readonly by?: number | undefined;
}

/** The official account: it appears as the actor where a chat has no owner. */
const TELEGRAM: User = { id: 777_000, is_bot: false, first_name: 'Telegram' };

interface Effect {
  readonly outcome: MembershipOutcome;
  readonly pushed: readonly PushedUpdate[];
}

const NOTHING: Effect = { outcome: 'unchanged', pushed: [] };

/** Joins a channel or a group; for a bot: starts it. */
export function join(context: Context, chatId: number, userId: number, options: JoinOptions = {}) {
  return changing(
    context,
    async (tx, announce) => {
      const chat = await findChat(tx, chatId);
      const bot = chat ? undefined : await findBot(tx, chatId);
      if (!chat && !bot) return { outcome: 'chat_not_found', pushed: [] };
      const user = await ensureAccount(tx, userId, context.clock.now());
      if (bot) {
        const pushed = await startBot({ context, tx, announce, bot, person: user }, options.silent === true);
        return pushed === 'unchanged' ? NOTHING : { outcome: 'changed', pushed };
      }
      if (!chat) return NOTHING;
      const before = await lockMembership(tx, chatId, userId);
      if (before.isMember && options.status === undefined) return NOTHING;
      const status = options.status ?? 'member';
      const isAnonymous = options.anonymous === true && isAdmin({ status, isMember: true });
      const after: Membership = { status, isMember: true, isAnonymous };
      const isSame = before.status === after.status && (before.isAnonymous ?? false) === isAnonymous;
      if (before.isMember && isSame) return NOTHING;
      await takeJoinRequest(tx, chatId, userId);
      const link = options.inviteLink && (await findInviteLink<ChatInviteLink>(tx, options.inviteLink, chatId));
      return moveMember(context, tx, announce, { chat, user, before, after, by: options.by }, options.silent, {
        ...(link ? { invite_link: link } : {}),
      });
    },
    options.unattended,
  );
}

/** Leaves a channel or a group; for a bot: blocks it. */
export function leave(context: Context, chatId: number, userId: number, options: LeaveOptions = {}) {
  return changing(context, async (tx, announce) => {
    const chat = await findChat(tx, chatId);
    const bot = chat ? undefined : await findBot(tx, chatId);
    if (!chat && !bot) return { outcome: 'chat_not_found', pushed: [] };
    const known = await findMembership(tx, chatId, userId);
    if (!known?.isMember) return NOTHING;
    const before = await lockMembership(tx, chatId, userId);
    const user = await findAccount(tx, userId);
    if (!before.isMember || !user) return NOTHING;
    if (bot) return blockBot(context, tx, announce, bot, user, options.silent);
    if (!chat) return NOTHING;
    const after: Membership = { status: options.status ?? 'left', isMember: false };
    return moveMember(context, tx, announce, { chat, user, before, after, by: options.by }, options.silent, {});
  });
}

/** Asks to be let in; the person stays outside until an administrator approves. */
export function requestJoin(context: Context, chatId: number, userId: number) {
  return changing(context, async (tx, announce) => {
    const chat = await findChat(tx, chatId);
    if (!chat) return { outcome: 'chat_not_found', pushed: [] };
    const now = context.clock.now();
    const user = await ensureAccount(tx, userId, now);
    if ((await findMembership(tx, chatId, userId))?.isMember) return NOTHING;
    if (!(await insertJoinRequest(tx, chatId, userId, now))) return NOTHING;
    const request = { chat: wireChat(chat), from: wireUser(user), user_chat_id: userId, date: unixTime(now) };
    const bots = await adminBotIds(tx, chatId);
    return { outcome: 'changed', pushed: await queueUpdate(tx, announce, bots, 'chat_join_request', request) };
  });
}

/** Makes a bot an administrator, or takes it off again: a bot that is not an administrator is not in a channel at all. */
export function setAdmin(context: Context, chatId: number, botId: number, admin: boolean, byUserId?: number) {
  return changing(context, async (tx, announce) => {
    const chat = await findChat(tx, chatId);
    const bot = await findBot(tx, botId);
    if (!chat || !bot) return { outcome: 'chat_not_found', pushed: [] };
    const change = await announceAdmin(context, tx, chat, bot, admin, byUserId);
    if (!change) return NOTHING;
    return { outcome: 'changed', pushed: await queueUpdate(tx, announce, [botId], 'my_chat_member', change) };
  });
}

/** Writes the bot's new standing and answers the update that tells it so; nothing when nothing changed. */
export async function announceAdmin(
  context: Context,
  tx: Transaction,
  chat: ChatRoom,
  bot: Bot,
  admin: boolean,
  byUserId: number | undefined,
) {
  const before = await lockMembership(tx, chat.id, bot.id);
  if (isAdmin(before) === admin) return undefined;
  const after: Membership = admin ? { status: 'administrator', isMember: true } : OUTSIDE;
  const at = context.clock.now();
  const actor = byUserId === undefined ? await ownerOf(tx, chat) : await actorIn(tx, chat, byUserId, at);
  await writeMembership(tx, chat.id, bot.id, after, at);
  return wireMemberChange({ chat: wireChat(chat), from: actor, who: wireBot(bot), before, after, at });
}

export async function ownerOf(tx: Transaction, chat: ChatRoom): Promise<User> {
  const owner = (await listAdmins(tx, chat.id)).find((admin) => admin.status === 'creator');
  if (owner === undefined) return TELEGRAM;
  return signedByGroup(chat, owner) ? GROUP_ANONYMOUS_BOT : wireUser(owner.user);
}

/** What bots see of who acted. A channel has no anonymous administrators in this sense: its posts show none anyway. */
export async function actorIn(tx: Transaction, chat: ChatRoom, userId: number, at: Date): Promise<User> {
  const membership = await findMembership(tx, chat.id, userId);
  return signedByGroup(chat, membership) ? GROUP_ANONYMOUS_BOT : wireUser(await ensureAccount(tx, userId, at));
}

const signedByGroup = ({ type }: ChatRoom, membership: Membership | undefined): boolean =>
  type !== 'channel' && membership?.isAnonymous === true;

interface Move {
  readonly chat: ChatRoom;
  readonly user: Account;
  readonly before: Membership;
  readonly after: Membership;
  readonly by: number | undefined;
}

async function moveMember(
  context: Context,
  tx: Transaction,
  announce: Announce,
  { chat, user, before, after, by }: Move,
  silent: boolean | undefined,
  extra: object,
): Promise<Effect> {
  const at = context.clock.now();
  await writeMembership(tx, chat.id, user.id, after, at);
  if (silent) return { outcome: 'changed', pushed: [] };
  const who = wireUser(user);
  // Nobody bans themselves.
  const self = after.status === 'kicked' ? await ownerOf(tx, chat) : who;
  const from = by === undefined ? self : await actorIn(tx, chat, by, at);
  const body = { ...wireMemberChange({ chat: wireChat(chat), from, who, before, after, at }), ...extra };
  const bots = (await adminBotIds(tx, chat.id)).filter((id) => id !== user.id);
  const pushed = await queueUpdate(tx, announce, bots, 'chat_member', body);
  // A bot that is moved itself hears of it in an update of its own.
  const own = user.isBot ? await queueUpdate(tx, announce, [user.id], 'my_chat_member', body) : [];
  return { outcome: 'changed', pushed: [...pushed, ...own] };
}

async function adminBotIds(tx: Transaction, chatId: number): Promise<number[]> {
  return (await listAdmins(tx, chatId)).filter((admin) => admin.user.isBot).map((admin) => admin.user.id);
}

async function blockBot(
  context: Context,
  tx: Transaction,
  announce: Announce,
  bot: Bot,
  user: Account,
  silent: boolean | undefined,
): Promise<Effect> {
  const at = context.clock.now();
  const after: Membership = { status: 'kicked', isMember: false };
  await writeMembership(tx, bot.id, user.id, after, at);
  if (silent) return { outcome: 'changed', pushed: [] };
  const before: Membership = { status: 'member', isMember: true };
  const change = { chat: wirePrivateChat(user), from: wireUser(user), who: wireBot(bot), before, after, at };
  const pushed = await queueUpdate(tx, announce, [bot.id], 'my_chat_member', wireMemberChange(change));
  return { outcome: 'changed', pushed };
}

async function changing(
  context: Context,
  work: (tx: Transaction, announce: Announce) => Promise<Effect>,
  unattended = false,
): Promise<MembershipOutcome> {
  const effect = await context.bus.transact(work);
  if (!unattended) await untilHandled(context, effect.pushed);
  return effect.outcome;
}
