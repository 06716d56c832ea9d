import { clip } from '../../../core/html.ts';
import { readCount, readRubles } from '../../../core/locale.ts';
import type { Kopecks } from '../../../core/money.ts';
import { rewardFor } from '../../../modules/orders/index.ts';
import { Area, type BotContext, idIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { type OrderDraft, orderDraftOf } from './order-draft.ts';
import type { ShowStep, Wizard } from './wizard.ts';

type TermsDeps = Pick<ManagementBotDeps, 'publisherSharePercent'>;

const MAX_TITLE = 128;
/** Catches typing errors; not a rule of the exchange. */
const PRICE = { min: 100n, max: 10_000_000n };
export const QUANTITY = { min: 1, max: 10_000_000 };
const USUAL_PRICES: readonly Kopecks[] = [300n, 500n, 1_000n];
const USUAL_QUANTITIES = [100, 500, 1_000, 5_000];

/** Title, price and quantity. */
export const termsSteps = ({ publisherSharePercent }: TermsDeps) =>
  ({
    title: ({ texts }, { foundTitle = '' }) => {
      const { title } = texts.advertiser.wizard;
      const found = clip(foundTitle, MAX_TITLE);
      return {
        text: title.ask({ found }),
        rows: found === '' ? [] : [[press(title.keep({ found: clip(found, 40) }), 'o.found')]],
        input: 'o.title',
      };
    },
    price: ({ texts, formats }) => ({
      text: texts.advertiser.wizard.price.ask({ share: formats.percent(publisherSharePercent) }),
      rows: [USUAL_PRICES.map((price) => press(formats.rubles(price), 'o.price', price))],
      input: 'o.price',
    }),
    quantity: ({ texts, formats }, { priceKopecks = 0 }) => {
      const price = BigInt(priceKopecks);
      const reward = rewardFor(price, publisherSharePercent);
      return {
        text: texts.advertiser.wizard.quantity.ask({ price: formats.rubles(price), reward: formats.rubles(reward) }),
        rows: [USUAL_QUANTITIES.map((quantity) => press(formats.count(quantity), 'o.quantity', quantity))],
        input: 'o.quantity',
      };
    },
  }) satisfies Record<string, ShowStep>;

export function termsArea(wizard: Wizard): Area {
  const area = new Area();

  area.onPress('o.found', async (ctx) => {
    const { foundTitle } = orderDraftOf(ctx);
    if (foundTitle === undefined) throw new StaleButton('there is no title to keep');
    await wizard.enter(ctx, { title: clip(foundTitle, MAX_TITLE) });
  });
  area.onText('o.title', async (ctx, text) => {
    const title = text.replace(/\s+/g, ' ').trim();
    if (title === '') return wizard.again(ctx, ctx.texts.shared.orders.inputs.noTitle);
    if (title.length > MAX_TITLE) return wizard.again(ctx, ctx.texts.common.tooLong({ most: String(MAX_TITLE) }));
    return wizard.enter(ctx, { title });
  });

  area.onPress('o.price', (ctx, kopecks) => enterPrice(ctx, BigInt(idIn(kopecks))));
  area.onText('o.price', async (ctx, text) => {
    const price = readRubles(text);
    return price === undefined ? wizard.again(ctx, ctx.texts.shared.inputs.wrongAmount) : enterPrice(ctx, price);
  });

  async function enterPrice(ctx: BotContext, price: Kopecks): Promise<void> {
    const { rubles } = ctx.formats;
    if (price >= PRICE.min && price <= PRICE.max) return wizard.enter(ctx, { priceKopecks: Number(price) });
    return wizard.again(ctx, ctx.texts.shared.inputs.range(rubles(PRICE.min), rubles(PRICE.max)));
  }

  area.onPress('o.quantity', (ctx, quantity = '') => enterQuantity(ctx, quantity));
  area.onText('o.quantity', (ctx, text) => enterQuantity(ctx, text));

  async function enterQuantity(ctx: BotContext, text: string): Promise<void> {
    const quantity = readCount(text, QUANTITY);
    if (quantity === undefined) return wizard.again(ctx, wrongQuantity(ctx));
    // Drops a daily limit above the new quantity.
    const { dailyLimit } = orderDraftOf(ctx);
    const isBeyond = typeof dailyLimit === 'number' && dailyLimit > quantity;
    return wizard.enter(ctx, { quantity, ...(isBeyond && { dailyLimit: undefined, paceEvenly: undefined }) });
  }
  return area;
}

export function wrongQuantity({ texts, formats }: BotContext): string {
  return texts.common.wrongCount({ min: formats.count(QUANTITY.min), max: formats.count(QUANTITY.max) });
}

const USUAL_HOLDS = [24, 48, 72, 0];
const HOLD_HOURS = { min: 0, max: 720 };
const DEFAULT_HOLD = { hours: 24, refund: true };

const holdOf = ({ hold }: OrderDraft) => hold ?? DEFAULT_HOLD;

export const holdLabel = ({ texts, formats }: BotContext, hours: number): string =>
  hours === 0
    ? texts.advertiser.common.noHold
    : texts.advertiser.common.hours({ number: hours, count: formats.count(hours), plural: formats.plural });

/** Hold of the reward, and refund when a subscriber leaves. */
export const holdSteps = {
  hold: (ctx, draft) => {
    const { hold: texts } = ctx.texts.advertiser.wizard;
    const hold = holdOf(draft);
    const mark = (isChosen: boolean): string => (isChosen ? '✅ ' : '');
    return {
      text: texts.ask({ hold: holdLabel(ctx, hold.hours), isNone: hold.hours === 0, refund: hold.refund }),
      rows: [
        USUAL_HOLDS.map((hours) => press(`${mark(hours === hold.hours)}${holdLabel(ctx, hours)}`, 'o.hold', hours)),
        [press(`${hold.refund ? '✅' : '▫️'} ${texts.refund}`, 'o.refund', hold.refund ? 'off' : 'on')],
        [press(ctx.texts.common.next, 'o.held')],
      ],
      input: 'o.hold',
      hasOwnWay: true,
    };
  },
} satisfies Record<string, ShowStep>;

export function holdArea(wizard: Wizard): Area {
  const area = new Area();

  area.onPress('o.hold', (ctx, hours = '') => choose(ctx, hours));
  area.onText('o.hold', (ctx, text) => choose(ctx, text));
  async function choose(ctx: BotContext, text: string): Promise<void> {
    const hours = readCount(text, HOLD_HOURS);
    const { min, max } = HOLD_HOURS;
    if (hours === undefined) {
      return wizard.again(ctx, ctx.texts.common.wrongCount({ min: String(min), max: String(max) }));
    }
    return wizard.stay(ctx, { hold: { ...holdOf(orderDraftOf(ctx)), hours } });
  }
  area.onPress('o.refund', (ctx, to) =>
    wizard.stay(ctx, { hold: { ...holdOf(orderDraftOf(ctx)), refund: to === 'on' } }),
  );
  area.onPress('o.held', (ctx) => wizard.enter(ctx, { hold: holdOf(orderDraftOf(ctx)) }));
  return area;
}
