import { ApiError } from '../../../core/errors.ts';
import { lines } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import { readFunds } from '../../../modules/accounts/index.ts';
import { isClosed, moveOwnOrder, type OrderState, readOwnOrder, topUpOwnOrder } from '../../../modules/orders/index.ts';
import { Area, type BotContext, idIn, newNonce } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, withNote } from '../screen.ts';
import { showOrder } from './order-page.ts';
import { botToAdd } from './wizard-resource.ts';
import { QUANTITY, wrongQuantity } from './wizard-terms.ts';

const USUAL_TOP_UPS = [100, 500, 1_000];

/** Pauses, resumes, tops up and cancels an order. */
export function orderActionsArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  const refOf = (ctx: BotContext, orderId: string | undefined) => ({
    accountId: ctx.person.accountId,
    orderId: idIn(orderId),
  });
  const readOwn = (ctx: BotContext, orderId: string | undefined): Promise<OrderState> =>
    readOwnOrder(deps.db, refOf(ctx, orderId));

  area.onPress('o.pause', async (ctx, id) => {
    await moveOwnOrder(deps, refOf(ctx, id), 'paused');
    ctx.talk.toast(ctx.texts.shared.orders.done.paused);
    await showOrder(deps, ctx, idIn(id));
  });
  area.onPress('o.go', async (ctx, id) => {
    const { page } = ctx.texts.advertiser;
    try {
      await moveOwnOrder(deps, refOf(ctx, id), 'active');
      ctx.talk.toast(ctx.texts.shared.orders.done.active);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'resource_refused') throw error;
      ctx.talk.toast(page.stillLost({ bot: await botToAdd(deps, ctx) }), { alert: true });
    }
    await showOrder(deps, ctx, idIn(id));
  });

  area.onPress('o.cancel', async (ctx, id) => {
    const { order, progress, escrowKopecks } = await readOwn(ctx, id);
    const { page } = ctx.texts.advertiser;
    const { rubles } = ctx.formats;
    await ctx.talk.show({
      text: page.askCancel({
        id: order.id,
        refund: rubles(escrowKopecks - progress.reservedKopecks),
        reserved: progress.reservedKopecks > 0n ? rubles(progress.reservedKopecks) : undefined,
      }),
      rows: [[press(page.cancelYes, 'o.end', order.id)], [press(ctx.texts.common.back, 'order', order.id)]],
    });
  });
  // Cancelling twice changes nothing.
  area.onPress('o.end', async (ctx, id) => {
    await moveOwnOrder(deps, refOf(ctx, id), 'cancelled');
    ctx.talk.toast(ctx.texts.shared.orders.done.cancelled);
    await showOrder(deps, ctx, idIn(id));
  });

  area.onPress('o.more', async (ctx, id) => askQuantity(ctx, await readOwn(ctx, id)));
  area.onText('o.more', async (ctx, text, id) => askToBuy(ctx, await readOwn(ctx, id), text));
  area.onPress('o.n', async (ctx, id, quantity = '') => askToBuy(ctx, await readOwn(ctx, id), quantity));
  area.onPress('o.buy', async (ctx, id, amount, shownCharge, nonce = '') => {
    const { order } = await readOwn(ctx, id);
    const quantity = idIn(amount);
    // The filters, and with them the charge, may have changed since the price was shown.
    if (String(order.chargeKopecks) !== shownCharge || !/^[\w-]{8}$/.test(nonce) || quantity > QUANTITY.max) {
      return askQuantity(ctx, await readOwn(ctx, id));
    }
    await topUpOwnOrder(deps, refOf(ctx, id), { quantity, key: `bot:${nonce}` });
    ctx.talk.toast(ctx.texts.advertiser.page.toppedUp);
    return showOrder(deps, ctx, order.id);
  });

  async function askQuantity(ctx: BotContext, { order }: OrderState, note?: string): Promise<void> {
    if (isClosed(order.status)) throw new ApiError('wrong_status', 'A closed order cannot be topped up.');
    const { page } = ctx.texts.advertiser;
    const { formats } = ctx;
    await ctx.talk.ask('o.more', [order.id], {
      text: withNote(note, page.askTopUp({ id: order.id, charge: formats.rubles(order.chargeKopecks) })),
      rows: [
        USUAL_TOP_UPS.map((count) => press(`+${formats.count(count)}`, 'o.n', order.id, count)),
        [press(ctx.texts.common.back, 'order', order.id)],
      ],
    });
  }

  async function askToBuy(ctx: BotContext, state: OrderState, text: string): Promise<void> {
    const { order } = state;
    const quantity = readCount(text, QUANTITY);
    if (quantity === undefined) return askQuantity(ctx, state, wrongQuantity(ctx));
    const { page, wizard } = ctx.texts.advertiser;
    const { rubles, count } = ctx.formats;
    const cost = order.chargeKopecks * BigInt(quantity);
    const { withdrawableKopecks: balance } = await readFunds(deps.db, ctx.person.accountId);
    const missing = balance < cost ? rubles(cost - balance) : undefined;
    return ctx.talk.show({
      text: lines(
        page.confirmTopUp({ id: order.id, count: count(quantity), cost: rubles(cost), balance: rubles(balance) }),
        missing === undefined ? undefined : wizard.summary.missing({ missing }),
      ),
      rows: [
        missing === undefined
          ? [press(page.buy({ cost: rubles(cost) }), 'o.buy', order.id, quantity, order.chargeKopecks, newNonce())]
          : [press(wizard.summary.deposit, 'bal.deposit')],
        [press(ctx.texts.common.back, 'o.more', order.id)],
      ],
    });
  }
  return area;
}
