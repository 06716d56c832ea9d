import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { createBotApi } from './api/handle-request.ts';
import { BOT_FATHER } from './bot-father/bot-father.ts';
import type { Context } from './context.ts';
import { createBot, drawToken, type NewBot, type RegisteredBot, registerBot } from './create-bots.ts';
import {
  createChannel,
  createUser,
  editUser,
  linkInto,
  type NewChannel,
  type NewUser,
  renameChannel,
  type UserChanges,
} from './create-peers.ts';
import { createWebhookSender } from './deliver-webhooks.ts';
import { createEventBus } from './events.ts';
import { createFaults, type FaultRequest } from './faults.ts';
import { type GroupMessage, migrateGroup, writeInGroup } from './groups.ts';
import { listAdministered, revokeInviteLinks } from './members-store.ts';
import {
  type BotOfPerson,
  type JoinOptions,
  join,
  type LeaveOptions,
  leave,
  requestJoin,
  setAdmin,
  setBotOfPerson,
} from './membership.ts';
import { findBot } from './peers-store.ts';
import { type Forwarded, messagesSeenBy, personSends } from './person-messages.ts';
import { type Press, personPresses } from './person-presses.ts';
import { clearEverything, findChat, listChats, listPeople } from './snapshot-store.ts';
import { isListening } from './updates-store.ts';
import { wireUser } from './wire.ts';

export type { MembershipOutcome } from './membership.ts';
export type { Conversation } from './person-messages.ts';
export { emulatorRoutes } from './routes.ts';

export type Emulator = ReturnType<typeof createEmulator>;

const MAX_OWN_CHATS = 100;

/**
 * The emulated Telegram: the persons and chats of the sandbox, and the Bot API through which bots see them. Every change
 * that sends updates resolves after the bots that run have handled them, or after a time limit.
 */
export function createEmulator({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const closing = new AbortController();
  const bus = createEventBus(db);
  const context: Context = { db, clock, bus, closing: closing.signal };
  const faults = createFaults(context);
  const webhooks = createWebhookSender(context);

  return {
    /** Connects to the other processes of the sandbox and delivers the updates that are left over. The routes call it. */
    async start() {
      await bus.connect();
      // The random token keeps callers of the Bot API from acting as BotFather.
      await registerBot(context, { ...BOT_FATHER, token: drawToken(BOT_FATHER.id) });
      await webhooks.start();
    },
    /** Ends every waiting request. The routes call it before the server closes. */
    async close() {
      closing.abort();
      await webhooks.stopped();
      await bus.close();
    },
    /** Handles one call of the Bot API. */
    handle: createBotApi(context, faults),
    createUser: (user: NewUser) => createUser(context, user),
    editUser: (userId: number, changes: UserChanges) => editUser(context, userId, changes),
    createChannel: (channel: NewChannel) => createChannel(context, channel),
    createBot: (bot: NewBot) => createBot(context, bot),
    /** Registers a bot of the service under a given token. The bot survives `reset`; a repeat changes nothing. */
    registerBot: (bot: RegisteredBot) => registerBot(context, bot),
    /** Returns whether a process receives the bot's updates. Changes do not wait for a bot without one. */
    isListening: (botId: number) => isListening(db, botId),
    botToken: async (botId: number) => (await findBot(db, botId))?.token,
    join: (chatId: number, userId: number, options?: JoinOptions) => join(context, chatId, userId, options),
    leave: (chatId: number, userId: number, options?: LeaveOptions) => leave(context, chatId, userId, options),
    requestJoin: (chatId: number, userId: number) => requestJoin(context, chatId, userId),
    setAdmin: (chatId: number, botId: number, admin: boolean, byUserId?: number) =>
      setAdmin(context, chatId, botId, admin, byUserId),
    setBotOfPerson: (change: BotOfPerson) => setBotOfPerson(context, change),
    /** Returns the chats of which the person is an administrator, newest first. */
    async chatsOf(userId: number) {
      const chats = await listAdministered(db, userId, MAX_OWN_CHATS);
      return chats.map(({ id, type, title, username, inviteLink }) => ({
        chat_id: id,
        type,
        title,
        username,
        link: linkInto(username, inviteLink),
      }));
    },
    /** Sends no update, like Telegram: bots see the new name in the next update about the chat. */
    renameChannel: (chatId: number, username: string | null) => renameChannel(context, chatId, username),
    /** Revokes every invite link that a bot made for the chat. */
    revokeLinks: (chatId: number) => db.transaction((tx) => revokeInviteLinks(tx, chatId)),
    /** Upgrades a basic group to a supergroup and returns the id of the supergroup. */
    migrateGroup: (chatId: number, options?: { silent?: boolean }) => migrateGroup(context, chatId, options),
    personSends: (userId: number, botUsername: string, text: string, forwarded?: Forwarded) =>
      personSends(context, userId, botUsername, text, forwarded),
    personPresses: (userId: number, botUsername: string, press: Press) =>
      personPresses(context, userId, botUsername, press),
    /** Sends a person's message to a group that bots read. */
    writeInGroup: (chatId: number, message: GroupMessage) => writeInGroup(context, chatId, message),
    /** Returns the conversation of a person, or of a group, with a bot. */
    messagesSeenBy: (userId: number, botUsername: string) => messagesSeenBy(context, userId, botUsername),
    setFault: (fault: FaultRequest) => faults.set(fault),
    /** Calls the listener when faults were cleared in any process. */
    onFaultsCleared: (listener: () => void) => void bus.on('faults_cleared', listener),
    async findChat(chatId: number) {
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
    /** Deletes everything except the registered bots, the deliveries of the webhook catcher included. */
    reset: () =>
      bus.transact(async (tx, announce) => {
        for (const bot of await clearEverything(tx)) announce({ kind: 'confirmed', ...bot });
        announce({ kind: 'bots' });
        announce({ kind: 'faults' });
        announce({ kind: 'faults_cleared' });
      }),
  };
}
