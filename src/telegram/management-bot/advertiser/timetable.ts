import { ApiError } from '../../../core/errors.ts';
import { describeHours, readHours } from '../../../core/hours.ts';
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
import { type Button, inPairs, press, type Screen, withNote } from '../screen.ts';
import { orderDraftOf } from './order-draft.ts';
import type { ShowStep, Wizard } from './wizard.ts';

/** Daily limit, pacing and hours of an existing order. */
export function orderTimetableArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  async function openOrder(ctx: BotContext, orderId: string | undefined): Promise<Order> {
    const order = await findOwnOrder(deps.db, { accountId: ctx.person.accountId, orderId: idIn(orderId) });
    if (isClosed(order.status)) throw new ApiError('wrong_status', 'A closed order has no timetable.');
    return order;
  }

  async function change(ctx: BotContext, orderId: string | undefined, changed: Partial<Timetable>): Promise<void> {
    const { id } = await openOrder(ctx, orderId);
    const ref = { accountId: ctx.person.accountId, orderId: id };
    await changeOwnOrder(deps, ref, (tx) => changeTimetable(tx, { orderId: id, change: changed }));
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
    return askHours(ctx, await openOrder(ctx, id), ctx.texts.shared.orders.inputs.wrongHours);
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

const USUAL_LIMITS = [50, 100, 500];

const HOUR_PRESETS = ['all', '9-21', '8-23', '18-24'] as const;
const hoursOfPreset = (preset: (typeof HOUR_PRESETS)[number]) =>
  preset === 'all' ? null : (readHours(preset) ?? null);

export function hoursLabel({ texts }: BotContext, hours: readonly number[] | null): string {
  return hours === null ? texts.advertiser.common.allDay : describeHours(hours);
}

/** Returns buttons for the usual hours. */
function hourButtons(ctx: BotContext, name: string, ...args: readonly number[]): Button[][] {
  return inPairs(HOUR_PRESETS.map((preset) => press(hoursLabel(ctx, hoursOfPreset(preset)), name, ...args, preset)));
}

const wrongLimit = ({ texts, formats }: BotContext, quantity: number): string =>
  texts.common.wrongCount({ min: formats.count(1), max: formats.count(quantity) });

/** Daily limit, pacing and hours. */
export const timetableSteps = {
  limit: ({ texts, formats }, { quantity = 1 }) => {
    const { limit } = texts.advertiser.wizard;
    const usual = USUAL_LIMITS.filter((count) => count < quantity);
    return {
      text: limit.ask,
      rows: [
        [press(limit.none, 'o.limit', 'none')],
        usual.map((count) => press(formats.count(count), 'o.limit', count)),
      ],
      input: 'o.limit',
    };
  },
  pace: ({ texts, formats }, { dailyLimit }) => {
    const { pace } = texts.advertiser.wizard;
    return {
      text: pace.ask({ limit: formats.count(dailyLimit ?? 0) }),
      rows: [[press(pace.evenly, 'o.pace', 'yes')], [press(pace.asap, 'o.pace', 'no')]],
    };
  },
  hours: (ctx) => ({
    text: ctx.texts.advertiser.wizard.hours.ask,
    rows: hourButtons(ctx, 'o.hours'),
    input: 'o.hours',
  }),
} satisfies Record<string, ShowStep>;

export function timetableArea(wizard: Wizard): Area {
  const area = new Area();

  area.onPress('o.limit', (ctx, limit = '') =>
    limit === 'none' ? wizard.enter(ctx, { dailyLimit: null, paceEvenly: undefined }) : enterLimit(ctx, limit),
  );
  area.onText('o.limit', (ctx, text) => enterLimit(ctx, text));

  async function enterLimit(ctx: BotContext, text: string): Promise<void> {
    const { quantity = 1 } = orderDraftOf(ctx);
    const dailyLimit = readCount(text, { min: 1, max: quantity });
    return dailyLimit === undefined ? wizard.again(ctx, wrongLimit(ctx, quantity)) : wizard.enter(ctx, { dailyLimit });
  }

  area.onPress('o.pace', (ctx, evenly) => wizard.enter(ctx, { paceEvenly: choiceIn(evenly, ['yes', 'no']) === 'yes' }));

  area.onPress('o.hours', (ctx, preset) => wizard.enter(ctx, { hours: hoursOfPreset(choiceIn(preset, HOUR_PRESETS)) }));
  area.onText('o.hours', async (ctx, text) => {
    const hours = readHours(text);
    if (hours === undefined) return wizard.again(ctx, ctx.texts.shared.orders.inputs.wrongHours);
    return wizard.enter(ctx, { hours });
  });
  return area;
}
