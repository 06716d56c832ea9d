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
import { ensureAccount, findAccount, findBot, findBotByUsername, findChat } from './peers-store.ts';
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
  /** Sends no update: the service notices the change only with a membership check. */
  readonly silent?: boolean | undefined;
  readonly status?: 'creator' | 'administrator' | 'member' | 'restricted' | undefined;
  /** The administrator acts as the group. */
  readonly anonymous?: boolean | undefined;
  /** The user who made the change, when it was not the member. */
  readonly by?: number | undefined;
  /** The invite link that the person used. */
  readonly inviteLink?: string | undefined;
  /** Does not wait for the bots: a bot that approves a join request handles the update after its own call returns. */
  readonly skipWait?: boolean | undefined;
}

export interface LeaveOptions {
  readonly silent?: boolean | undefined;
  /** `kicked` when an administrator removed the person. */
  readonly status?: 'left' | 'kicked' | undefined;
  /** The administrator who removed the person. */
  readonly by?: number | undefined;
}

/** Telegram's official account, the actor in chats without an owner. */
const TELEGRAM: User = { id: 777_000, is_bot: false, first_name: 'Telegram' };

interface Effect {
  readonly outcome: MembershipOutcome;
  readonly pushed: readonly PushedUpdate[];
}

const NOTHING: Effect = { outcome: 'unchanged', pushed: [] };

/** Adds a person to a channel or a group; for a bot: starts it. */
export function join(context: Context, chatId: number, userId: number, options: JoinOptions = {}) {
  return applyChange(
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
    options.skipWait,
  );
}

/** Removes a person from a channel or a group; for a bot: blocks it. */
export function leave(context: Context, chatId: number, userId: number, options: LeaveOptions = {}) {
  return applyChange(context, async (tx, announce) => {
    const chat = await findChat(tx, chatId);
    const bot = chat ? undefined : await findBot(tx, chatId);
    if (!chat && !bot) return { outcome: 'chat_not_found', pushed: [] };
    const current = await findMembership(tx, chatId, userId);
    if (!current?.isMember) return NOTHING;
    const before = await lockMembership(tx, chatId, userId);
    const user = await findAccount(tx, userId);
    if (!before.isMember || !user) return NOTHING;
    if (bot) return blockBot(context, tx, announce, bot, user, options.silent);
    if (!chat) return NOTHING;
    const after: Membership = { status: options.status ?? 'left', isMember: false };
    return moveMember(context, tx, announce, { chat, user, before, after, by: options.by }, options.silent, {});
  });
}

/** Stores a join request; the person is not a member until an administrator approves it. */
export function requestJoin(context: Context, chatId: number, userId: number) {
  return applyChange(context, async (tx, announce) => {
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

/** Makes a bot an administrator, or removes it: a bot cannot be an ordinary member of a channel. */
export function setAdmin(context: Context, chatId: number, botId: number, admin: boolean, byUserId?: number) {
  return applyChange(context, async (tx, announce) => {
    const chat = await findChat(tx, chatId);
    const bot = await findBot(tx, botId);
    if (!chat || !bot) return { outcome: 'chat_not_found', pushed: [] };
    const change = await announceAdmin(context, tx, chat, bot, admin, byUserId);
    if (!change) return NOTHING;
    return { outcome: 'changed', pushed: await queueUpdate(tx, announce, [botId], 'my_chat_member', change) };
  });
}

/**
 * Adds a bot to a person's own chat as an administrator, or removes it. Telegram's client does this when a person follows
 * a link with `startchannel` or `startgroup` and chooses a chat.
 */
export async function setBotOfPerson(
  context: Context,
  { userId, chatId, bot: username, isAdded }: BotOfPerson,
): Promise<MembershipOutcome | 'bot_not_found'> {
  const bot = await findBotByUsername(context.db, username);
  if (bot === undefined) return 'bot_not_found';
  if (!isAdmin(await findMembership(context.db, chatId, userId))) return 'chat_not_found';
  return setAdmin(context, chatId, bot.id, isAdded, userId);
}

export interface BotOfPerson {
  readonly userId: number;
  readonly chatId: number;
  readonly bot: string;
  readonly isAdded: boolean;
}

/** Stores the bot's new status and returns the update about it; `undefined` when nothing changed. */
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

/** Returns the actor as bots see it. Only groups have anonymous administrators. */
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
  // A ban comes from the owner unless `by` names another administrator.
  const defaultActor = after.status === 'kicked' ? await ownerOf(tx, chat) : who;
  const from = by === undefined ? defaultActor : await actorIn(tx, chat, by, at);
  const body = { ...wireMemberChange({ chat: wireChat(chat), from, who, before, after, at }), ...extra };
  const bots = (await adminBotIds(tx, chat.id)).filter((id) => id !== user.id);
  const pushed = await queueUpdate(tx, announce, bots, 'chat_member', body);
  // A bot that was added or removed gets an update of its own.
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

async function applyChange(
  context: Context,
  work: (tx: Transaction, announce: Announce) => Promise<Effect>,
  skipWait = false,
): Promise<MembershipOutcome> {
  const effect = await context.bus.transact(work);
  if (!skipWait) await untilHandled(context, effect.pushed);
  return effect.outcome;
}
