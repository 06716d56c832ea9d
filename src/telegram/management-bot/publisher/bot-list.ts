import { EMPTY_LINE, lines } from '../../../core/html.ts';
import { listBotsOfAccount } from '../../../modules/bots/index.ts';
import { type Area, type BotContext, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press, type Screen } from '../screen.ts';

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
      [press(list.add, 'botAdd')],
      [press(ctx.texts.common.home, 'home')],
    ],
  };
}
