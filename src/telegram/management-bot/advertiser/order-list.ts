import { clip } from '../../../core/html.ts';
import { listOrdersPage, type OrderState, type OrderStatus, readOrderStates } from '../../../modules/orders/index.ts';
import { Area, type BotContext, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press } from '../screen.ts';
import { draftsOf } from './order-draft.ts';

export const STATUS_MARKS: Readonly<Record<OrderStatus, string>> = {
  moderation: '🕓',
  active: '🟢',
  paused: '⏸',
  completed: '🏁',
  cancelled: '✖️',
  rejected: '🚫',
};

/** The person's orders, newest first. */
export function orderListArea({ db }: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('orders', (ctx, page) => showList(ctx, pageIn(page)));
  area.onPress('o.leave', async (ctx) => {
    if (draftsOf(ctx).order !== undefined) ctx.talk.toast(ctx.texts.advertiser.list.draftKept);
    await showList(ctx, 0);
  });

  async function showList(ctx: BotContext, number: number): Promise<void> {
    const { list } = ctx.texts.advertiser;
    const { accountId } = ctx.person;
    const found = await listOrdersPage(db, { accountId, skip: number * PAGE_SIZE, limit: PAGE_SIZE + 1 });
    const page = pageOf(found, number);
    const states = await readOrderStates(db, page.items);
    const hasDraft = draftsOf(ctx).order !== undefined;
    await ctx.talk.show({
      text: states.length === 0 && number === 0 ? list.empty : list.title,
      rows: [
        ...states.map((state) => [press(labelOf(ctx, state), 'order', state.order.id)]),
        arrows(page, 'orders'),
        hasDraft ? [press(list.continueDraft, 'o.resume')] : [],
        [press(list.newOrder, 'o.new')],
        [press(ctx.texts.common.home, 'home')],
      ],
    });
  }
  return area;
}

function labelOf({ texts, formats }: BotContext, { order, progress }: OrderState): string {
  const { status, id, title, quantity } = order;
  const done = `${formats.count(progress.countedCount)}/${formats.count(quantity)}`;
  return `${STATUS_MARKS[status]} ${texts.advertiser.list.number(id)} ${clip(title, 28)} · ${done}`;
}
