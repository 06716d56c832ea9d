import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { type BotApi, createBotApi } from './api/handle-request.ts';
import type { Context } from './context.ts';
import {
  type BotHandle,
  type ChannelHandle,
  type Created,
  createBot,
  createChannel,
  createUser,
  linkInto,
  type NewBot,
  type NewChannel,
  type NewUser,
  type RegisteredBot,
  registerBot,
  renameChannel,
} from './create-peers.ts';
import { createWebhookPump } from './deliver-webhooks.ts';
import { createEventBus } from './events.ts';
import { createFaults, type FaultWish } from './faults.ts';
import { type GroupMessage, writeInGroup } from './group-messages.ts';
import { revokeInviteLinks } from './members-store.ts';
import {
  type JoinOptions,
  join,
  type LeaveOptions,
  leave,
  type MembershipOutcome,
  requestJoin,
  setAdmin,
} from './membership.ts';
import { migrateGroup } from './migrate-group.ts';
import { type Conversation, type Forwarded, messagesSeenBy, personSends } from './person-messages.ts';
import { type Press, type PressOutcome, personPresses } from './person-presses.ts';
import { type ChatSummary, clearEverything, findChat, listChats, listPeople, readToken } from './snapshot-store.ts';
import { isListening } from './updates-store.ts';
import { wireUser } from './wire.ts';

export type { Created } from './create-peers.ts';

export type { MembershipOutcome } from './membership.ts';
export type { Conversation } from './person-messages.ts';
export { emulatorRoutes } from './routes.ts';

export interface EmulatorDeps {
  readonly db: Database;
  readonly clock: Clock;
}

interface SnapshotUser {
  readonly user_id: number;
  readonly first_name: string;
  readonly username?: string | undefined;
  readonly language_code?: string | undefined;
  readonly is_premium: boolean;
}

interface Snapshot {
  readonly users: readonly SnapshotUser[];
  readonly chats: readonly (Omit<ChatSummary, 'invite_link'> & { readonly link: string })[];
}

/** The emulated Telegram: the people and chats of the sandbox, and the Bot API by which bots see them. */
export interface Emulator {
  /** Connects to the other processes of the sandbox and delivers what was left over. The routes call it. */
  start(): Promise<void>;
  /** Ends everything that waits. The routes call it before the server closes. */
  close(): Promise<void>;
  /** One call of the Bot API. */
  readonly answer: BotApi;
  createUser(user: NewUser): Promise<Created<{ user_id: number }>>;
  createChannel(channel: NewChannel): Promise<Created<ChannelHandle>>;
  createBot(bot: NewBot): Promise<Created<BotHandle>>;
  /** The service's own bot, with a token of its choice. It outlives `reset`, and registering it again is harmless. */
  registerBot(bot: RegisteredBot): Promise<Created<BotHandle>>;
  /** Whether a process listens to the bot's updates. Nobody waits for a bot without one. */
  isListening(botId: number): Promise<boolean>;
  botToken(chatId: number): Promise<string | undefined>;
  /** The changes below answer after the bots concerned have handled the update, or after 5 s. */
  join(chatId: number, userId: number, options?: JoinOptions): Promise<MembershipOutcome>;
  leave(chatId: number, userId: number, options?: LeaveOptions): Promise<MembershipOutcome>;
  requestJoin(chatId: number, userId: number): Promise<MembershipOutcome>;
  setAdmin(chatId: number, botId: number, admin: boolean, byUserId?: number): Promise<MembershipOutcome>;
  /** The update that shows the new name is the next one about the chat: Telegram sends none of its own. */
  renameChannel(chatId: number, username: string | null): Promise<Created<{ chat_id: number; link: string }>>;
  /** Revokes every invite link that a bot made for the chat. */
  revokeLinks(chatId: number): Promise<void>;
  /** Upgrades a basic group to a supergroup; returns the id of the latter. */
  migrateGroup(chatId: number, options?: { silent?: boolean | undefined }): Promise<number | 'chat_not_found'>;
  personSends(
    userId: number,
    botUsername: string,
    text: string,
    forwarded?: Forwarded,
  ): Promise<'sent' | 'bot_not_found' | 'author_not_found'>;
  personPresses(userId: number, botUsername: string, press: Press): Promise<PressOutcome>;
  /** A person writes in a group that bots read. */
  writeInGroup(chatId: number, message: GroupMessage): Promise<'sent' | 'chat_not_found'>;
  /** What a person, or a group, sees of the talk with a bot. */
  messagesSeenBy(userId: number, botUsername: string): Promise<Conversation | undefined>;
  setFault(fault: FaultWish): Promise<void>;
  /** Calls back when somebody, in whichever process, has switched faults off. */
  onFaultsCleared(listener: () => void): void;
  findChat(chatId: number): Promise<(Omit<ChatSummary, 'members'> & { readonly link: string }) | undefined>;
  snapshot(): Promise<Snapshot>;
  /** Forgets everything, the webhook catcher's deliveries included, but not the registered bots. */
  reset(): Promise<void>;
}

export function createEmulator({ db, clock }: EmulatorDeps): Emulator {
  const closing = new AbortController();
  const bus = createEventBus(db);
  const context: Context = { db, clock, bus, closing: closing.signal };
  const faults = createFaults(context);
  const pump = createWebhookPump(context);

  return {
    async start() {
      await bus.connect();
      await pump.start();
    },
    async close() {
      closing.abort();
      await pump.stopped();
      await bus.close();
    },
    answer: createBotApi(context, faults),
    createUser: (user) => createUser(context, user),
    createChannel: (channel) => createChannel(context, channel),
    createBot: (bot) => createBot(context, bot),
    registerBot: (bot) => registerBot(context, bot),
    isListening: (botId) => isListening(context.db, botId),
    botToken: (chatId) => readToken(db, chatId),
    join: (chatId, userId, options) => join(context, chatId, userId, options),
    leave: (chatId, userId, options) => leave(context, chatId, userId, options),
    requestJoin: (chatId, userId) => requestJoin(context, chatId, userId),
    setAdmin: (chatId, botId, admin, byUserId) => setAdmin(context, chatId, botId, admin, byUserId),
    renameChannel: (chatId, username) => renameChannel(context, chatId, username),
    revokeLinks: (chatId) => db.transaction((tx) => revokeInviteLinks(tx, chatId)),
    migrateGroup: (chatId, options) => migrateGroup(context, chatId, options),
    personSends: (userId, botUsername, text, forwarded) => personSends(context, userId, botUsername, text, forwarded),
    personPresses: (userId, botUsername, press) => personPresses(context, userId, botUsername, press),
    writeInGroup: (chatId, message) => writeInGroup(context, chatId, message),
    messagesSeenBy: (userId, botUsername) => messagesSeenBy(context, userId, botUsername),
    setFault: (fault) => faults.set(fault),
    onFaultsCleared: (listener) => void bus.on('faults_cleared', listener),
    async findChat(chatId) {
      const chat = await findChat(db, chatId);
      return chat && { ...chat, link: linkInto(chat.username, chat.invite_link) };
    },
    async snapshot() {
      const [people, chats] = await Promise.all([listPeople(db), listChats(db)]);
      return {
        users: people.map((person) => {
          const { id, is_bot: _, is_premium, ...user } = wireUser(person);
          return { user_id: id, ...user, is_premium: is_premium === true };
        }),
        chats: chats.map(({ invite_link, ...chat }) => ({ ...chat, link: linkInto(chat.username, invite_link) })),
      };
    },
    reset: () =>
      bus.transact(async (tx, announce) => {
        for (const bot of await clearEverything(tx)) announce({ kind: 'confirmed', ...bot });
        announce({ kind: 'bots' });
        announce({ kind: 'faults' });
        announce({ kind: 'faults_cleared' });
      }),
  };
}
