import { ApiError } from '../../../core/errors.ts';
import { readCount } from '../../../core/locale.ts';
import {
  changeOwnOrder,
  changeTimetable,
  findOwnOrder,
  isClosed,
  type Order,
  type Timetable,
} from '../../../modules/orders/index.ts';
import { Area, type BotContext, choiceIn, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, type Screen, withNote } from '../screen.ts';
import { readHours } from './hours.ts';
import { HOUR_PRESETS, hourButtons, hoursLabel, hoursOfPreset, wrongLimit } from './wizard-timetable.ts';

/** Daily limit, pacing and hours of an existing order. */
export function orderTimetableArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  async function openOrder(ctx: BotContext, orderId: string | undefined): Promise<Order> {
    const order = await findOwnOrder(deps.db, { accountId: ctx.person.accountId, orderId: idIn(orderId) });
    if (isClosed(order.status)) throw new ApiError('wrong_status', 'A closed order has no timetable.');
    return order;
  }

  async function change(ctx: BotContext, orderId: string | undefined, wish: Partial<Timetable>): Promise<void> {
    const { id } = await openOrder(ctx, orderId);
    const ref = { accountId: ctx.person.accountId, orderId: id };
    await changeOwnOrder(deps, ref, (tx) => changeTimetable(tx, { orderId: id, change: wish }));
    ctx.talk.toast(ctx.texts.common.done);
    await show(ctx, String(id));
  }

  async function show(ctx: BotContext, orderId: string | undefined): Promise<void> {
    await ctx.talk.show(timetableScreen(ctx, await openOrder(ctx, orderId)));
  }

  area.onPress('o.time', show);
  area.onPress('o.even', (ctx, id, to) => change(ctx, id, { paceEvenly: choiceIn(to, ['on', 'off']) === 'on' }));

  area.onPress('o.cap', async (ctx, id) => askLimit(ctx, await openOrder(ctx, id)));
  area.onPress('o.uncap', (ctx, id) => change(ctx, id, { dailyLimit: null }));
  area.onText('o.cap', async (ctx, text, id) => {
    const order = await openOrder(ctx, id);
    const dailyLimit = readCount(text, { min: 1, max: order.quantity });
    if (dailyLimit === undefined) return askLimit(ctx, order, wrongLimit(ctx, order.quantity));
    return change(ctx, id, { dailyLimit });
  });

  area.onPress('o.hrs', async (ctx, id) => askHours(ctx, await openOrder(ctx, id)));
  area.onPress('o.hour', (ctx, id, preset) =>
    change(ctx, id, { activeHours: hoursOfPreset(choiceIn(preset, HOUR_PRESETS)) }),
  );
  area.onText('o.hrs', async (ctx, text, id) => {
    const hours = readHours(text);
    if (hours !== undefined) return change(ctx, id, { activeHours: hours });
    return askHours(ctx, await openOrder(ctx, id), ctx.texts.advertiser.wizard.hours.wrong);
  });

  async function askLimit(ctx: BotContext, { id }: Order, note?: string): Promise<void> {
    const { limit } = ctx.texts.advertiser.wizard;
    await ctx.talk.ask('o.cap', [id], {
      text: withNote(note, limit.ask),
      rows: [[press(limit.none, 'o.uncap', id)], [press(ctx.texts.common.back, 'o.time', id)]],
    });
  }

  async function askHours(ctx: BotContext, { id }: Order, note?: string): Promise<void> {
    await ctx.talk.ask('o.hrs', [id], {
      text: withNote(note, ctx.texts.advertiser.wizard.hours.ask),
      rows: [...hourButtons(ctx, 'o.hour', id), [press(ctx.texts.common.back, 'o.time', id)]],
    });
  }
  return area;
}

function timetableScreen(ctx: BotContext, order: Order): Screen {
  const { timetable } = ctx.texts.advertiser;
  const { id, dailyLimit, paceEvenly, activeHours } = order;
  const limit = dailyLimit === null ? undefined : ctx.formats.count(dailyLimit);
  return {
    text: timetable.title({ id, limit, isEven: paceEvenly, hours: hoursLabel(ctx, activeHours) }),
    rows: [
      [press(timetable.limit, 'o.cap', id), press(timetable.hours, 'o.hrs', id)],
      dailyLimit === null
        ? []
        : [press(`${paceEvenly ? '✅' : '▫️'} ${timetable.evenly}`, 'o.even', id, paceEvenly ? 'off' : 'on')],
      [press(ctx.texts.common.back, 'order', id)],
    ],
  };
}
