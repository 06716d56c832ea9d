import { drawChart, PictureFailed, renderPng } from '../../charts/index.ts';
import { type Kopecks, sumKopecks, toRubles } from '../../core/money.ts';
import type { BotContext } from './bot-context.ts';
import type { ManagementBotDeps } from './deps.ts';

export const PERIODS = ['7', '30'] as const;

interface DaysChart {
  readonly title: string;
  readonly days: readonly { readonly day: string; readonly counted: number; readonly reversed: number }[];
  /** The money of each day and its name. */
  readonly money: { readonly name: string; readonly kopecks: readonly Kopecks[] };
  readonly words: Readonly<Record<'subscribers' | 'counted' | 'reversed' | 'nothing', string>>;
}

/** Draws subscribers and money by day. Returns undefined when drawing fails; the figures are shown without a chart. */
export async function drawDays(
  { log }: Pick<ManagementBotDeps, 'log'>,
  { person, formats }: BotContext,
  { title, days, money, words }: DaysChart,
): Promise<Buffer | undefined> {
  const names = days.map(({ day }) => formats.day(day));
  const svg = drawChart({
    language: person.language,
    title,
    subtitle: `${names[0] ?? ''} – ${names.at(-1) ?? ''}`,
    columns: names,
    panels: [
      {
        title: words.subscribers,
        headline: formats.count(days.reduce((sum, { counted, reversed }) => sum + counted - reversed, 0)),
        isWhole: true,
        whenEmpty: words.nothing,
        series: [
          { name: words.counted, color: 'blue', values: days.map(({ counted }) => counted) },
          { name: words.reversed, color: 'red', values: days.map(({ reversed }) => -reversed) },
        ],
      },
      {
        title: money.name,
        headline: formats.rubles(sumKopecks(money.kopecks)),
        isWhole: false,
        whenEmpty: words.nothing,
        series: [{ name: money.name, color: 'green', values: money.kopecks.map(toRubles) }],
      },
    ],
  });
  try {
    return await renderPng(svg);
  } catch (error) {
    if (!(error instanceof PictureFailed)) throw error;
    log.warn({ err: error }, 'chart not drawn');
    return undefined;
  }
}
