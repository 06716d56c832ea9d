import { type Resolution, type ResourceResolver, type ResourceWish, usernameIn } from '../modules/orders/index.ts';
import { type BotApi, callSignal, failureOf } from './bot-api.ts';
import { isOwnInviteLink, makeInviteLink } from './chat-access.ts';
import { factsOf } from './follow-chats.ts';

/** Telegram does not tell a bot where an invite link leads, unless the bot created it. */
const UNPROVEN =
  'is an invite link that our bot did not make, so it may lead anywhere: give our bot the right to invite users';

const refuse = (field: 'link' | 'bot_token' | 'chat_id', message: string): Resolution => ({
  kind: 'refused',
  field,
  message,
});

export function createResourceResolver(api: BotApi): ResourceResolver {
  return {
    async resolve(resource) {
      if (resource.type === 'channel') return resolveChannel(resource);
      return resource.botToken === undefined ? resolveExternal(resource) : resolveBot(resource, resource.botToken);
    },
    nameOfBot,
  };

  async function resolveChannel({ link, chatId, isKnown = false }: ResourceWish): Promise<Resolution> {
    const username = usernameIn(link);
    if (username === undefined && chatId === undefined) {
      return refuse('chat_id', 'is needed with a link that does not name the channel (https://t.me/name does)');
    }
    const isNamed = username !== undefined && !(isKnown && chatId !== undefined);
    try {
      const chat = await api.service.getChat(isNamed ? `@${username}` : (chatId ?? `@${username}`), callSignal());
      if (chat.type === 'private') return refuse('link', 'leads to a person, not to a channel or group');
      if (chatId !== undefined && chat.id !== chatId) {
        return refuse('chat_id', `is not the chat of the link: @${username} has the id ${chat.id}`);
      }
      const me = await api.service.getMe(callSignal());
      const member = await api.service.getChatMember(chat.id, me.id, callSignal());
      if (member.status !== 'administrator' && member.status !== 'creator') return notAdmin(me.username);
      if (isKnown) return { kind: 'resolved', resource: { type: 'channel', chatId: chat.id } };
      const proven = isNamed || link === chat.invite_link || (await isOwnInviteLink(api, chat.id, link));
      const shown = proven ? link : await makeInviteLink(api, chat.id);
      if (shown === undefined) return refuse('link', UNPROVEN);
      const members = await api.service.getChatMemberCount(chat.id, callSignal());
      const facts = factsOf(chat, members);
      return { kind: 'resolved', resource: { type: 'channel', chatId: chat.id, link: shown, chat: facts } };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'refused') return { kind: 'unavailable' };
      if (/chat not found/i.test(failure.description))
        return refuse('link', 'leads to no channel that our bot can see');
      return notAdmin(undefined);
    }
  }

  async function resolveBot({ link }: ResourceWish, botToken: string): Promise<Resolution> {
    try {
      const bot = await api.as(botToken).getMe(callSignal());
      const username = usernameIn(link);
      if (username?.toLowerCase() !== bot.username.toLowerCase()) {
        return refuse('bot_token', `is the token of @${bot.username}, and the link leads elsewhere`);
      }
      return { kind: 'resolved', resource: { type: 'bot', chatId: bot.id, botToken } };
    } catch (error) {
      return failureOf(error).kind === 'refused'
        ? refuse('bot_token', 'is not accepted by Telegram: copy it from @BotFather')
        : { kind: 'unavailable' };
    }
  }

  /** Reads the name and not the description: Telegram returns a `bio` only for people. */
  async function nameOfBot(username: string): Promise<string | 'unavailable'> {
    try {
      const chat = await api.service.getChat(`@${username}`, callSignal());
      return chat.type === 'private' ? chat.first_name : '';
    } catch (error) {
      return failureOf(error).kind === 'refused' ? '' : 'unavailable';
    }
  }

  function resolveExternal({ link }: ResourceWish): Resolution {
    const username = usernameIn(link);
    if (username === undefined) return refuse('link', 'must name the bot: https://t.me/name_bot');
    return { kind: 'resolved', resource: { type: 'bot', externalUsername: username.toLowerCase() } };
  }
}

function notAdmin(botUsername: string | undefined): Resolution {
  const bot = botUsername === undefined ? 'our bot' : `@${botUsername}`;
  return refuse('link', `leads to a channel where ${bot} is not an administrator: add it, then try again`);
}
