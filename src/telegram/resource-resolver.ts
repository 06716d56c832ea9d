import type { Api } from 'grammy';
import { type RequestedResource, type Resolution, type ResourceResolver, usernameIn } from '../modules/orders/index.ts';
import { type BotApi, callSignal, failureOf } from './bot-api.ts';
import { type BotsDeps, botsToAsk, isOwnInviteLink, makeInviteLink } from './chat-access.ts';
import { factsOf } from './follow-chats.ts';

/** Telegram does not tell a bot where an invite link leads, unless the bot created it. */
const UNPROVEN =
  'is an invite link that our bot did not make, so it may lead anywhere: give our bot the right to invite users';

const refuse = (field: 'link' | 'bot_token' | 'chat_id', message: string): Resolution => ({
  kind: 'refused',
  field,
  message,
});

export function createResourceResolver({ api, ...deps }: BotsDeps & { readonly api: BotApi }): ResourceResolver {
  return {
    async resolve(resource) {
      if (resource.type === 'channel') return resolveChannel(resource);
      return resource.botToken === undefined ? resolveExternal(resource) : resolveBot(resource, resource.botToken);
    },
    nameOfBot,
  };

  /** Asks our bots one after the other until one is an administrator of the channel. */
  async function resolveChannel(requested: RequestedResource): Promise<Resolution> {
    const { link, chatId, isKnown = false } = requested;
    const username = usernameIn(link);
    if (username === undefined && chatId === undefined) {
      return refuse('chat_id', 'is needed with a link that does not name the channel (https://t.me/name does)');
    }
    const isNamed = username !== undefined && !(isKnown && chatId !== undefined);
    const reference = isNamed ? (`@${username}` as const) : (chatId ?? (`@${username}` as const));
    let best: Resolution = { kind: 'unavailable' };
    for (const checkerId of await botsToAsk(deps, reference)) {
      const bot = deps.bots.apiOf(checkerId);
      if (bot === undefined) continue;
      const found = await resolveAs(bot, checkerId, { requested, reference, isNamed });
      if (found.kind !== 'refused' || found.isFinal) return found;
      // "Not an administrator" says more than "not found", which a bot outside of a private channel gets.
      if (best.kind !== 'refused' || found.sees) best = found;
    }
    return best;
  }

  type Attempt = Resolution & { readonly isFinal?: boolean; readonly sees?: boolean };

  async function resolveAs(
    api: Api,
    checkerId: number | null,
    {
      requested,
      reference,
      isNamed,
    }: { requested: RequestedResource; reference: number | `@${string}`; isNamed: boolean },
  ): Promise<Attempt> {
    const { link, chatId, isKnown = false } = requested;
    const final = (refusal: Resolution): Attempt => ({ ...refusal, isFinal: true });
    try {
      const chat = await api.getChat(reference, callSignal());
      if (chat.type === 'private') return final(refuse('link', 'leads to a person, not to a channel or group'));
      if (chatId !== undefined && chat.id !== chatId) {
        return final(refuse('chat_id', `is not the chat of the link: ${reference} has the id ${chat.id}`));
      }
      const member = await api.getChatMember(chat.id, deps.bots.idOf(checkerId), callSignal());
      if (member.status !== 'administrator' && member.status !== 'creator') {
        return { ...notAdmin((await deps.bots.leastLoaded())?.username), sees: true };
      }
      if (isKnown) return { kind: 'resolved', resource: { type: 'channel', chatId: chat.id, checkerId } };
      const proven = isNamed || link === chat.invite_link || (await isOwnInviteLink(api, chat.id, link));
      const shown = proven ? link : await makeInviteLink(api, chat.id);
      if (shown === undefined) return final(refuse('link', UNPROVEN));
      const members = await api.getChatMemberCount(chat.id, callSignal());
      const facts = factsOf(chat, members);
      return { kind: 'resolved', resource: { type: 'channel', chatId: chat.id, link: shown, chat: facts, checkerId } };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'refused') return { kind: 'unavailable' };
      if (/chat not found/i.test(failure.description))
        return refuse('link', 'leads to no channel that our bot can see');
      const named = deps.bots.active().length > 0 ? await deps.bots.leastLoaded() : undefined;
      return { ...notAdmin(named?.username), sees: true };
    }
  }

  async function resolveBot({ link }: RequestedResource, botToken: string): Promise<Resolution> {
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

  function resolveExternal({ link }: RequestedResource): Resolution {
    const username = usernameIn(link);
    if (username === undefined) return refuse('link', 'must name the bot: https://t.me/name_bot');
    return { kind: 'resolved', resource: { type: 'bot', externalUsername: username.toLowerCase() } };
  }
}

function notAdmin(botUsername: string | undefined): Resolution {
  const bot = botUsername === undefined ? 'our bot' : `@${botUsername}`;
  return refuse('link', `leads to a channel where ${bot} is not an administrator: add it, then try again`);
}
