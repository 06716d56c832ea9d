import { Bot, type Composer, type Context } from 'grammy';
import type { Chat, ChatMemberUpdated, Update } from 'grammy/types';
import type { Clock } from '../core/clock.ts';
import type { MembershipUpdate } from '../modules/tasks/index.ts';
import { apiSignal, type CallObserver, type ChatMigration, meterCalls } from './bot-api.ts';
import { isKnownStatus, isMember } from './membership-checker.ts';

/** What a bot does with the updates of chats in which it is an administrator. */
interface MemberDeps {
  readonly clock: Clock;
  readonly recordMembership: (update: MembershipUpdate) => Promise<void>;
  /** Called with the chat of an update: its name may have changed. */
  readonly noticeChat: (chat: Chat) => Promise<void>;
  /** A basic group became a supergroup. */
  readonly recordMigration: (migration: ChatMigration) => Promise<void>;
}

export interface ServiceBotDeps extends MemberDeps {
  readonly token: string;
  readonly apiRoot: () => string;
  /** The bot was added to a chat or removed from it. */
  readonly recordChatAccess: (change: ChatMemberUpdated) => Promise<void>;
  /** The menus of the management bot. */
  readonly management: Composer<Context>;
  readonly onCall?: CallObserver;
}

export type ServiceBot = () => Bot;

/** The service's own bot: receives joins and leaves, and runs the management bot. Built at first use. */
export function createServiceBot(deps: ServiceBotDeps): ServiceBot {
  let bot: Bot | undefined;
  return () => {
    bot ??= buildBot(deps);
    return bot;
  };
}

const CALL_TIMEOUT_MS = 20_000;

function openBot(deps: Pick<ServiceBotDeps, 'token' | 'apiRoot' | 'onCall'>): Bot {
  const bot = new Bot(deps.token, { client: { apiRoot: deps.apiRoot(), timeoutSeconds: 60, sensitiveLogs: false } });
  if (deps.onCall !== undefined) bot.api.config.use(meterCalls(deps.onCall));

  bot.api.config.use((call, method, payload, signal) => {
    if (method === 'getUpdates') return call(method, payload, signal);
    // Longer than Telegram normally takes. A call that hangs delays the person's next update.
    const limit = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const either = signal === undefined ? limit : AbortSignal.any([signal as unknown as AbortSignal, limit]);
    return call(method, payload, apiSignal(either));
  });
  return bot;
}

function buildBot(deps: ServiceBotDeps): Bot {
  const bot = openBot(deps);
  followMembers(bot, deps);
  // Continues to the management bot: a wizard may be waiting for this chat.
  bot.on('my_chat_member', async ({ myChatMember, me }, next) => {
    // A checker bot hands its updates over for the wizard; it has recorded them itself.
    if (myChatMember.new_chat_member.user.id === me.id) await deps.recordChatAccess(myChatMember);
    await next();
  });
  bot.use(deps.management);
  return bot;
}

export interface CheckerBotDeps extends MemberDeps, Pick<ServiceBotDeps, 'token' | 'apiRoot' | 'onCall'> {
  /** The bot was added to a chat or removed from it. */
  readonly recordChatAccess: (change: ChatMemberUpdated) => Promise<void>;
  /** Hands an update over to the management bot: one of its wizards may be waiting for the chat. */
  readonly handOver: (update: Update) => Promise<void>;
  /** Returns the reply to a person who opens the bot. */
  readonly greet: (languageCode: string | undefined) => Promise<string | undefined>;
}

/** A checker bot: receives joins and leaves. People talk to the management bot. */
export function buildCheckerBot(deps: CheckerBotDeps): Bot {
  const bot = openBot(deps);
  followMembers(bot, deps);
  bot.on('my_chat_member', async ({ myChatMember, update }) => {
    await deps.recordChatAccess(myChatMember);
    if (myChatMember.chat.type !== 'private') await deps.handOver(update);
  });
  bot
    .chatType('private')
    .command('start')
    .use(async (ctx) => {
      const text = await deps.greet(ctx.from?.language_code);
      if (text !== undefined) await ctx.reply(text);
    });
  return bot;
}

function followMembers(bot: Bot, deps: MemberDeps): void {
  // A status that Telegram adds later is ignored: it is neither a join, nor a leave, nor an error.
  bot.on(['chat_member', 'my_chat_member'], async ({ chatMember, myChatMember }, next) => {
    const status = (chatMember ?? myChatMember)?.new_chat_member;
    if (status === undefined || !isKnownStatus(status)) return;
    await next();
    const chat = (chatMember ?? myChatMember)?.chat;
    if (chat !== undefined) await deps.noticeChat(chat);
  });
  bot.on('chat_member', async ({ chatMember }) => {
    const { old_chat_member: before, new_chat_member: after, from } = chatMember;
    await deps.recordMembership({
      userId: after.user.id,
      chatId: chatMember.chat.id,
      wasMember: !isKnownStatus(before) || isMember(before),
      isMember: isMember(after),
      isRemoval: after.status === 'kicked' || (!isMember(after) && from.id !== after.user.id),
      at: momentOf(chatMember.date, deps.clock.now()),
    });
  });
  bot.on(['message:migrate_to_chat_id', 'message:migrate_from_chat_id'], async ({ message, chat }) => {
    const { migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
    if (to !== undefined) await deps.recordMigration({ from: chat.id, to });
    else if (from !== undefined) await deps.recordMigration({ from, to: chat.id });
  });
}

/** Telegram sends whole seconds: takes the end of that second, but no time after the update arrived. */
function momentOf(dateSeconds: number, heardAt: Date): Date {
  return new Date(Math.min(heardAt.getTime(), dateSeconds * 1000 + 999));
}
