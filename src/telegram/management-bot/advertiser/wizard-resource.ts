import type { Context } from 'grammy';
import { clip } from '../../../core/html.ts';
import { chatNamedIn } from '../../../modules/orders/index.ts';
import { administeredChat, type ChatInspection, inspectChat, linkInto } from '../../chat-access.ts';
import { type BotChat, listBotChats } from '../../chat-access-store.ts';
import { Area, type BotContext, choiceIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { readDialogue } from '../dialogue-store.ts';
import { link, press } from '../screen.ts';
import { draftsIn, draftsOf, ORDER_WIZARD, orderDraftOf } from './order-draft.ts';
import type { ShowStep, StepScreen, Wizard } from './wizard.ts';
import { botScreen } from './wizard-bot.ts';

type ResourceDeps = Pick<ManagementBotDeps, 'db' | 'bots'>;

/** How many known chats the bot suggests. */
const MAX_CHATS = 10;
const MAX_LABEL = 40;

/** Steps for the kind of resource and the resource itself. */
export const resourceSteps = (deps: ResourceDeps) =>
  ({
    kind: ({ texts }) => {
      const { wizard } = texts.advertiser;
      return {
        text: wizard.kind.ask,
        rows: [[press(wizard.kind.channel, 'o.kind', 'channel')], [press(wizard.kind.bot, 'o.kind', 'bot')]],
      };
    },
    resource: (ctx, draft) => (draft.kind === 'bot' ? botScreen(ctx, draft) : channelScreen(deps, ctx)),
    link: ({ texts }, { foundTitle = '' }) => ({
      text: texts.advertiser.wizard.link.ask({ title: clip(foundTitle, 100) }),
      rows: [],
      input: 'o.link',
    }),
  }) satisfies Record<string, ShowStep>;

/** Returns the name of the bot that the person adds to the channel. */
export const botToAdd = async ({ bots }: Pick<ManagementBotDeps, 'bots'>, ctx: BotContext): Promise<string> =>
  (await bots.leastLoaded())?.username ?? ctx.me.username;

async function channelScreen(deps: ResourceDeps, ctx: BotContext): Promise<StepScreen> {
  const { db } = deps;
  const { chat } = ctx.texts.advertiser.wizard;
  const username = await botToAdd(deps, ctx);
  const known = await listBotChats(db, ctx.person.telegramUserId, MAX_CHATS);
  return {
    text: chat.ask({ bot: username, hasKnown: known.length > 0 }),
    rows: [
      // These links open Telegram's list of the person's chats with the requested rights selected.
      [
        link(chat.addToChannel, `https://t.me/${username}?startchannel&admin=invite_users`),
        link(chat.addToGroup, `https://t.me/${username}?startgroup&admin=invite_users`),
      ],
      [press(chat.pick, 'o.pick')],
      ...known.map(({ chatId, title }) => [press(`📣 ${clip(title, MAX_LABEL)}`, 'o.chat', chatId)]),
    ],
    input: 'o.chat',
  };
}

export function resourceArea(deps: ResourceDeps, wizard: Wizard): Area {
  const area = new Area();

  area.onPress('o.kind', async (ctx, chosen) => {
    const kind = choiceIn(chosen, ['channel', 'bot']);
    const other = { check: undefined, resource: undefined, link: undefined, title: undefined };
    await wizard.enter(ctx, kind === orderDraftOf(ctx).kind ? {} : { kind, ...other });
  });

  area.onPress('o.chat', async (ctx, chatId = '') => {
    if (!/^-[1-9]\d{0,15}$/.test(chatId)) throw new StaleButton('a button without its chat');
    await chooseChat(ctx, Number(chatId));
  });
  area.onText('o.chat', async (ctx, text) => {
    const { inputs } = ctx.texts.shared.orders;
    if (text === ctx.texts.common.back) return wizard.goTo(ctx, 'resource');
    const reference = chatNamedIn(text);
    if (reference === 'invite_link') return wizard.again(ctx, inputs.inviteLink);
    if (reference === undefined) return wizard.again(ctx, inputs.notUnderstood);
    return chooseChat(ctx, reference);
  });

  // A private chat has no name to type, and an anonymous administrator who adds the bot stays unknown.
  area.onPress('o.pick', async (ctx) => {
    orderDraftOf(ctx);
    const { common, advertiser } = ctx.texts;
    const { askPick, askPickChecker, pickChannel, pickGroup } = advertiser.wizard.chat;
    // Telegram can add only the bot that asks. A checker bot has to be in the chat already.
    const addsBot = deps.bots.active().length === 0;
    const text = addsBot ? askPick : askPickChecker({ bot: await botToAdd(deps, ctx) });
    await ctx.talk.ask('o.chat', [], {
      text,
      rows: [],
      below: [
        [{ label: pickChannel, choose: 'channel', addsBot }],
        [{ label: pickGroup, choose: 'group', addsBot }],
        [{ label: common.back }],
      ],
    });
  });
  area.on('message:chat_shared', async (ctx, next) => {
    const { chat_id: chatId } = ctx.message.chat_shared;
    const { order } = draftsOf(ctx);
    if (order?.kind === 'channel' && order.step === 'resource') return chooseChat(ctx, chatId);
    // The same press added the bot to the chat, and the wizard has already continued.
    const isChosen = order?.resource?.type === 'channel' && order.resource.chatId === chatId;
    return isChosen ? wizard.goTo(ctx, order.step) : next();
  });

  async function chooseChat(ctx: BotContext, reference: number | `@${string}`): Promise<void> {
    const found = await inspectFor(deps, ctx, reference);
    if (found.kind === 'ready') return useChat(deps, wizard, ctx, found.chat, found.checkerId);
    return wizard.again(ctx, chatRefusal(ctx, found, await botToAdd(deps, ctx)));
  }

  // Ignores a typed link, which may lead into another chat, and tries to create one again.
  area.onText('o.link', async (ctx) => {
    const { resource } = orderDraftOf(ctx);
    const found = resource?.type === 'channel' ? await inspectFor(deps, ctx, resource.chatId) : undefined;
    const link =
      found?.kind === 'ready'
        ? await linkInto(deps.bots.apiOf(found.checkerId), { ...found.chat, username: null, canInvite: true })
        : undefined;
    return link === undefined
      ? wizard.again(ctx, ctx.texts.shared.orders.inputs.cannotInvite)
      : wizard.enter(ctx, { link });
  });
  return area;
}

/** Inspects a chat on behalf of the person. */
export const inspectFor = (deps: ResourceDeps, ctx: BotContext, reference: number | `@${string}`) =>
  inspectChat(deps, reference, ctx.person.telegramUserId);

/** Returns the text that says why the chat cannot be advertised. */
export function chatRefusal(ctx: BotContext, refusal: Exclude<ChatInspection, { kind: 'ready' }>, bot: string): string {
  const texts = ctx.texts.shared.orders.inputs;
  switch (refusal.kind) {
    case 'not_found':
      return texts.notFound({ bot });
    case 'not_a_chat':
      return texts.notAChat;
    case 'not_admin':
      return texts.notAdmin({ bot, title: clip(refusal.title ?? orderDraftOf(ctx).title ?? '…', 100) });
    case 'not_yours':
      return texts.notYours({ title: clip(refusal.title, 100) });
    case 'unavailable':
      return ctx.texts.shared.refusals.telegram_unavailable ?? '';
  }
}

async function useChat(
  { bots }: ResourceDeps,
  wizard: Wizard,
  ctx: BotContext,
  chat: Pick<BotChat, 'chatId' | 'title' | 'username' | 'canInvite'>,
  checkerId: number | null,
): Promise<void> {
  const { chatId, title, username } = chat;
  await wizard.enter(ctx, {
    resource: { type: 'channel', chatId, isPublic: username !== null },
    foundTitle: clip(title, 100),
    link: await linkInto(bots.apiOf(checkerId), chat),
    title: undefined,
  });
}

/** Continues the wizard when the person adds the bot to the chat for which the draft waits. */
export function chatArrivals(deps: ResourceDeps, wizard: Wizard) {
  const arrivalIn = (ctx: Context): BotChat | undefined =>
    ctx.myChatMember === undefined ? undefined : administeredChat(ctx.myChatMember);
  return {
    /** Runs for every such update: the person may have no account and no conversation. */
    async isAwaited(ctx: Context): Promise<boolean> {
      const chat = arrivalIn(ctx);
      return chat !== undefined && isAwaited((await readDialogue(deps.db, chat.addedBy)).drafts[ORDER_WIZARD], chat);
    },
    async goOn(ctx: BotContext): Promise<void> {
      const chat = arrivalIn(ctx);
      const botId = ctx.myChatMember?.new_chat_member.user.id;
      const checkerId = botId === undefined || botId === ctx.me.id ? null : botId;
      if (chat !== undefined) await useChat(deps, wizard, ctx, chat, checkerId);
    },
  };
}

function isAwaited(stored: unknown, { chatId, canInvite }: BotChat): boolean {
  const { order } = draftsIn(stored);
  if (order?.step === 'resource') return order.kind === 'channel';
  // The missing right was granted.
  const isSame = order?.resource?.type === 'channel' && order.resource.chatId === chatId;
  return order?.step === 'link' && isSame && canInvite;
}
