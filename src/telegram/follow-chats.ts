import type { Api } from 'grammy';
import type { Chat, ChatFullInfo } from 'grammy/types';
import { addDays, type Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { recordNotices } from '../modules/notices/index.ts';
import {
  type ChatFacts,
  findOpenLinks,
  listChatsToFollow,
  publishOrders,
  type ResourceChat,
  replaceLinks,
  saveChatFacts,
  usernameIn,
} from '../modules/orders/index.ts';
import { callSignal, failureOf } from './bot-api.ts';
import { isOwnInviteLink, makeInviteLink } from './chat-access.ts';
import type { CheckBudget } from './check-budget.ts';
import type { CheckerBots } from './checker-bots.ts';

export interface FollowDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly bots: Pick<CheckerBots, 'apiOf' | 'idOf'>;
  readonly budgetOf: (botId: number) => CheckBudget;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  readonly loseAccess: (chatId: number) => Promise<void>;
}

/** Keeps the links of orders pointing at their chat. The chat's id identifies it, never its name. */
export interface ChatFollower {
  /** Called with a chat from an update: its name may have changed. */
  noticed(chat: Chat): Promise<void>;
  /** Checks the chats of open orders, each once a day. Returns how many it checked. */
  followDue(signal: AbortSignal): Promise<number>;
}

const PER_RUN = 200;
const MAX_SEEN = 10_000;

export function createChatFollower(deps: FollowDeps): ChatFollower {
  const { db, clock, bots, log } = deps;
  /** The last name of each chat. An unchanged name needs no query. */
  const seen = new Map<number, string>();

  async function follow(resource: ResourceChat): Promise<void> {
    const { resourceId, chatId, checkerId } = resource;
    const api = bots.apiOf(checkerId);
    // A job hands the channels of a stopped bot over; the next run follows the chat.
    if (api === undefined) return;
    const budget = deps.budgetOf(bots.idOf(checkerId));
    await budget.take();
    let chat: ChatFullInfo;
    let members: number;
    try {
      chat = await api.getChat(chatId, callSignal());
      await budget.take();
      // The bot can read a basic group that it has left, but cannot count its members.
      members = await api.getChatMemberCount(chat.id, callSignal());
    } catch (error) {
      if (failureOf(error).kind !== 'refused') throw error;
      // Membership checks find out whether access is lost; they try more than once.
      return saveChatFacts(db, resourceId, undefined, clock.now());
    }
    await mendLinks(api, resource, chat, factsOf(chat, members));
  }

  async function mendLinks(
    api: Api,
    { resourceId, chatId }: ResourceChat,
    chat: ChatFullInfo,
    facts: ChatFacts,
  ): Promise<void> {
    const wrong: string[] = [];
    for (const link of (await findOpenLinks(db, chat.id))?.links ?? []) {
      if (!(await leadsInto(api, chat, link))) wrong.push(link);
    }
    const link = wrong.length === 0 ? undefined : await linkTo(api, facts, chat.id);
    const at = clock.now();
    await db.transaction(async (tx) => {
      await saveChatFacts(tx, resourceId, facts, at);
      if (link === undefined) return;
      const changed = await replaceLinks(tx, { resourceId, links: wrong, by: link });
      await publishOrders(
        tx,
        changed.map(({ id }) => id),
      );
      const notices = changed.map(({ id, accountId, title }) => {
        return { accountId, kind: 'order_link_changed' as const, data: { order_id: id, title, link } };
      });
      await recordNotices(tx, notices, at);
    });
    if (wrong.length === 0) return;
    log.warn({ chatId, wrong, link: link ?? null }, 'order links no longer lead into their chat');
    // Without a link no user can join, and a name that another chat took over would send users there.
    if (link === undefined) await deps.loseAccess(chatId);
  }

  return {
    async noticed(chat) {
      if (chat.type === 'private') return;
      const username = 'username' in chat ? (chat.username ?? '') : '';
      if (seen.get(chat.id) === username) return;
      if (seen.size >= MAX_SEEN) seen.clear();
      seen.set(chat.id, username);
      const open = await findOpenLinks(db, chat.id);
      const names = open?.links.map(usernameIn).filter((name) => name !== undefined) ?? [];
      if (open === undefined || names.every((name) => name.toLowerCase() === username.toLowerCase())) return;
      try {
        await follow(open);
      } catch (error) {
        // The next update and the daily run try again.
        seen.delete(chat.id);
        log.warn({ chatId: chat.id, failure: failureOf(error) }, 'renamed chat not checked');
      }
    },
    async followDue(stopping) {
      const askedBefore = addDays(clock.now(), -1);
      const due = await listChatsToFollow(db, { askedBefore, limit: PER_RUN });
      for (const [index, resource] of due.entries()) {
        if (stopping.aborted) return index;
        try {
          await follow(resource);
        } catch (error) {
          // Telegram is unreachable: every further chat of this run would wait for a timeout.
          log.warn({ failure: failureOf(error) }, 'chats of orders not checked');
          return index;
        }
      }
      return due.length;
    },
  };
}

export function factsOf(chat: ChatFullInfo, members: number): ChatFacts {
  const title = 'title' in chat ? (chat.title ?? '') : '';
  return { title, username: 'username' in chat ? (chat.username ?? null) : null, members };
}

/** Returns whether the link names the chat or is an invite link that the bot created for it. */
async function leadsInto(api: Api, chat: ChatFullInfo, link: string): Promise<boolean> {
  const name = usernameIn(link)?.toLowerCase();
  const username = 'username' in chat ? chat.username : undefined;
  const names = [username, ...(chat.active_usernames ?? [])].map((each) => each?.toLowerCase());
  if (name !== undefined) return names.includes(name);
  return link === chat.invite_link || isOwnInviteLink(api, chat.id, link);
}

const linkTo = async (api: Api, { username }: ChatFacts, chatId: number): Promise<string | undefined> =>
  username === null ? makeInviteLink(api, chatId) : `https://t.me/${username}`;
