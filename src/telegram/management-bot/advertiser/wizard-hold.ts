import { readCount } from '../../../core/locale.ts';
import { Area, type BotContext } from '../bot-context.ts';
import { press } from '../screen.ts';
import { type OrderDraft, orderDraftOf } from './order-draft.ts';
import type { ShowStep, Wizard } from './wizard.ts';

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
      text: texts.ask({ hold: holdLabel(ctx, hold.hours), refund: hold.refund }),
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
