import { EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import {
  type Bot,
  listBotsOfAccount,
  listValidTokens,
  RESOURCE_TYPES,
  requireOwnBot,
  switchOwnBot,
} from '../../../modules/bots/index.ts';
import { findQuality, type SourceQuality } from '../../../modules/quality/index.ts';
import { botTotals, reportBotDays } from '../../../modules/statistics/index.ts';
import { describeQuality, QUALITY_TEXTS } from '../../../texts/quality.ts';
import { type Area, type BotContext, choiceIn, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press, type Screen, withNote } from '../screen.ts';

const ON_OFF = ['0', '1'] as const;

export function botPage(area: Area, deps: ManagementBotDeps): void {
  area.onPress('bot', async (ctx, id) => {
    await ctx.talk.show(await botScreen(deps, ctx, await botIn(deps, ctx, id)));
  });
  area.onPress('botOff', async (ctx, id) => {
    const bot = await botIn(deps, ctx, id);
    const { common, publisher } = ctx.texts;
    await ctx.talk.show({
      text: publisher.bot.askSwitchOff(bot),
      rows: [[press(common.yes, 'botSwitch', bot.id, '0'), press(common.no, 'bot', bot.id)]],
    });
  });
  area.onPress('botSwitch', async (ctx, id, state) => {
    const isActive = choiceIn(state, ON_OFF) === '1';
    const bot = await switchOwnBot(deps.db, { accountId: ctx.person.accountId, botId: idIn(id), isActive });
    await ctx.talk.show(await botScreen(deps, ctx, bot));
  });
}

/** Returns the person's own bot; throws for any other. */
export function botIn({ db }: ManagementBotDeps, ctx: BotContext, id: string | undefined): Promise<Bot> {
  return requireOwnBot(db, { accountId: ctx.person.accountId, botId: idIn(id) });
}

/** The page of a bot, with an optional note about the last action. */
export async function botScreen(deps: ManagementBotDeps, ctx: BotContext, bot: Bot, note?: Html): Promise<Screen> {
  const { db, clock } = deps;
  const { common, publisher } = ctx.texts;
  const { accountId } = ctx.person;
  const now = clock.now();
  const [totals, [today], tokens, qualities] = await Promise.all([
    botTotals(db, accountId),
    reportBotDays(db, { botId: bot.id, days: 1, now }),
    listValidTokens(db, { accountId, botId: bot.id, at: now }),
    findQuality(db, [bot.id]),
  ]);
  const total = totals.find(({ botId }) => botId === bot.id);
  const { formats } = ctx;
  const text = publisher.bot.page({
    username: bot.username,
    isActive: bot.isActive,
    maxSponsors: formats.count(bot.maxSponsors),
    round: publisher.settings.duration(bot.roundSeconds / 60),
    profiles: bot.collectsProfiles ? common.on : common.off,
    excluded: excludedWords(ctx, bot),
    subscribers: formats.count(total?.subscribers ?? 0),
    revenue: formats.rubles(total?.revenueKopecks ?? 0n),
    countedToday: formats.count(today?.counted ?? 0),
    reversedToday: today === undefined || today.reversed === 0 ? undefined : formats.count(today.reversed),
    revenueToday: formats.rubles((today?.rewardKopecks ?? 0n) - (today?.reversedRewardKopecks ?? 0n)),
  });
  const quality = qualityLines(deps, ctx, qualities.get(bot.id));
  const next = tokens.length === 0 && note === undefined ? publisher.bot.noToken : undefined;
  return {
    text: withNote(note, lines(text, ...quality, ...(next === undefined ? [] : [EMPTY_LINE, next]))),
    rows: [
      [press(publisher.bot.token, 'botKeys', bot.id), press(publisher.bot.settings, 'botSet', bot.id)],
      [
        press(publisher.bot.statistics, 'botStat', bot.id, 7),
        press(publisher.bot.integration, 'botCode', bot.id, 'curl'),
      ],
      [press(publisher.bot.why, 'botWhy', bot.id)],
      [
        bot.isActive
          ? press(publisher.bot.switchOff, 'botOff', bot.id)
          : press(publisher.bot.switchOn, 'botSwitch', bot.id, '1'),
        press(common.back, 'bots'),
      ],
    ],
  };
}

function qualityLines(
  { qualitySettings }: ManagementBotDeps,
  { person }: BotContext,
  quality: SourceQuality | undefined,
): Html[] {
  const { title, reasonsTitle, adviceTitle } = QUALITY_TEXTS[person.language];
  const described = describeQuality(person.language, quality, qualitySettings);
  if (described === undefined) return [];
  const { line, effect, reasons, advice } = described;
  const list = (head: string, items: readonly string[]): Html[] =>
    items.length === 0 ? [] : [html`<i>${head}</i>`, ...items.map((item) => html`• ${item}`)];
  return [
    EMPTY_LINE,
    html`⭐️ ${title}: <b>${line}</b>`,
    html`${effect}`,
    ...list(reasonsTitle, reasons),
    ...list(adviceTitle, advice),
  ];
}

function excludedWords({ texts, formats }: BotContext, bot: Bot): string {
  const words = texts.publisher.bot;
  const types = RESOURCE_TYPES.filter((type) => bot.excludedResourceTypes.has(type)).map((type) => words.types[type]);
  const orders = bot.excludedOrderIds.size;
  const all = orders === 0 ? types : [...types, words.excludedOrders({ count: formats.count(orders) })];
  return all.length === 0 ? words.nothingExcluded : all.join(', ');
}

export function botList(area: Area, deps: ManagementBotDeps): void {
  area.onPress('bots', async (ctx, page) => ctx.talk.show(await listScreen(deps, ctx, pageIn(page))));
  area.onPress('botAdd', (ctx) => {
    const { add } = ctx.texts.publisher;
    return ctx.talk.show({
      text: add.explain,
      rows: [
        [press(add.byToken, 'botByToken'), press(add.byForward, 'botByName')],
        [press(ctx.texts.common.back, 'bots')],
      ],
    });
  });
}

async function listScreen({ db }: ManagementBotDeps, ctx: BotContext, number: number): Promise<Screen> {
  const { list } = ctx.texts.publisher;
  const paging = { limit: PAGE_SIZE + 1, offset: number * PAGE_SIZE };
  const page = pageOf(await listBotsOfAccount(db, ctx.person.accountId, paging), number);
  const isEmpty = number === 0 && page.items.length === 0;
  return {
    text: lines(list.title, EMPTY_LINE, isEmpty ? list.none : list.some),
    rows: [
      ...page.items.map((bot) => [press(`${bot.isActive ? '🟢' : '🔴'} @${bot.username}`, 'bot', bot.id)]),
      arrows(page, 'bots'),
      [press(list.add, 'botAdd'), press(ctx.texts.publisher.webhooks.menu, 'hooks')],
      [press(ctx.texts.common.home, 'home')],
    ],
  };
}
