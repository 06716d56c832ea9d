import { EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import type { Bot } from '../../../modules/bots/index.ts';
import type { Explanation } from '../../../modules/tasks/index.ts';
import type { Area, BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, withNote } from '../screen.ts';
import { botIn } from './bot-page.ts';

const USER_IDS = { min: 1, max: 999_999_999_999 } as const;

export function explainNoTasks(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botWhy', async (ctx, id) => askUser(ctx, await botIn(deps, ctx, id)));
  area.onMessage('bot.why', async (ctx, id) => {
    const { why } = ctx.texts.publisher;
    const bot = await botIn(deps, ctx, id);
    const { forward_origin: origin, text = '' } = ctx.message;
    if (origin?.type === 'hidden_user') return askUser(ctx, bot, why.hidden);
    const userId = origin === undefined ? readCount(text, USER_IDS) : personIn(origin);
    if (userId === undefined) return askUser(ctx, bot, why.wrongId);
    // Explains the smallest request, which names only the user.
    const found = await deps.flow.explain({ bot, userId, action: 'subscribe', max: bot.maxSponsors });
    await ctx.talk.expectNothing();
    await ctx.talk.show({
      text: explanation(ctx, bot, userId, found),
      rows: [[press(why.another, 'botWhy', bot.id)], [press(ctx.texts.common.back, 'bot', bot.id)]],
    });
  });
}

type Origin = NonNullable<NonNullable<BotContext['message']>['forward_origin']>;

const personIn = (origin: Origin): number | undefined =>
  origin.type === 'user' && !origin.sender_user.is_bot ? origin.sender_user.id : undefined;

function askUser(ctx: BotContext, bot: Bot, note?: Html): Promise<void> {
  const { common, publisher } = ctx.texts;
  const question = publisher.why.ask(bot);
  return ctx.talk.ask('bot.why', [bot.id], {
    text: withNote(note, question),
    rows: [[press(common.cancel, 'bot', bot.id)]],
  });
}

function explanation(ctx: BotContext, bot: Bot, userId: number, found: Explanation): Html {
  const { why } = ctx.texts.publisher;
  const { tasks, filters } = ctx.texts.shared;
  const { count } = ctx.formats;
  const removed = listed(found.removedByBarrier, (reason, orders) =>
    why.item({ reason: tasks.removalReasons[reason], count: count(orders) }),
  );
  const filtered = listed(found.removedByFilter, (filter, orders) =>
    why.item({ reason: filters.names[filter], count: count(orders) }),
  );
  return lines(
    why.title({ userId, username: bot.username }),
    EMPTY_LINE,
    bot.isActive ? undefined : html`🔴 ${tasks.isOff}`,
    summaryOf(ctx, bot, found),
    EMPTY_LINE,
    why.totals({ active: count(found.activeOrders), paused: count(found.pausedOrders) }),
    ...(removed.length === 0 ? [] : [EMPTY_LINE, why.removed, ...removed]),
    ...(filtered.length === 0 ? [] : [EMPTY_LINE, why.removedByFilter, ...filtered]),
  );
}

function summaryOf({ texts, formats }: BotContext, bot: Bot, found: Explanation): Html {
  const { why, settings } = texts.publisher;
  const { tasks } = texts.shared;
  if (found.isBanned) return html`⛔️ ${tasks.isBanned}`;
  if (found.isHiddenByLimit) return html`⏳ ${tasks.isOverLimit}`;
  if (found.activeOrders === 0) return html`😴 ${tasks.noOrders}`;
  if (found.matchingOrders === 0) {
    return found.removedByBarrier.has('already_shown') ? html`📋 ${tasks.onlyShown}` : html`🚫 ${tasks.noneFits}`;
  }
  return why.some({ count: formats.count(found.matchingOrders), round: settings.duration(bot.roundSeconds / 60) });
}

/** Lists the reasons by the number of orders, the largest first. */
function listed<Key>(counts: ReadonlyMap<Key, number>, line: (key: Key, orders: number) => Html): Html[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([key, orders]) => line(key, orders));
}
