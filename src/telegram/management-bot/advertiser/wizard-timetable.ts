import { readCount } from '../../../core/locale.ts';
import { Area, type BotContext, choiceIn } from '../bot-context.ts';
import { type Button, inPairs, press } from '../screen.ts';
import { describeHours, readHours } from './hours.ts';
import { orderDraftOf } from './order-draft.ts';
import type { ShowStep, Wizard } from './wizard.ts';

const USUAL_LIMITS = [50, 100, 500];

export const HOUR_PRESETS = ['all', '9-21', '8-23', '18-24'] as const;
export const hoursOfPreset = (preset: (typeof HOUR_PRESETS)[number]) =>
  preset === 'all' ? null : (readHours(preset) ?? null);

export function hoursLabel({ texts }: BotContext, hours: readonly number[] | null): string {
  return hours === null ? texts.advertiser.common.allDay : describeHours(hours);
}

/** Returns buttons for the usual hours. */
export function hourButtons(ctx: BotContext, name: string, ...args: readonly number[]): Button[][] {
  return inPairs(HOUR_PRESETS.map((preset) => press(hoursLabel(ctx, hoursOfPreset(preset)), name, ...args, preset)));
}

export const wrongLimit = ({ texts, formats }: BotContext, quantity: number): string =>
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
    if (hours === undefined) return wizard.again(ctx, ctx.texts.advertiser.wizard.hours.wrong);
    return wizard.enter(ctx, { hours });
  });
  return area;
}
