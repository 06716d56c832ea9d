import { readHours } from '../../../core/hours.ts';
import { readCount, readRubles } from '../../../core/locale.ts';
import type { Kopecks } from '../../../core/money.ts';
import type { Filters } from '../../../modules/targeting/index.ts';
import type { Visit } from '../visit.ts';
import { type ReadFilters, readFilters } from './filter-form.ts';

export const RESOURCE_KINDS = ['channel', 'bot', 'external'] as const;
type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** The limits of the management bot's wizard. They catch typing errors. */
const PRICE = { min: 100n, max: 10_000_000n };
export const QUANTITY = { min: 1, max: 10_000_000 };
export const HOLD_HOURS = { min: 0, max: 720 };
const MAX_TITLE = 128;

/** Names of fields and what is wrong with them. */
export type WrongFields = ReadonlyMap<string, string>;

/** The form of a new order. `terms` is undefined when a field is wrong. */
export interface OrderForm {
  readonly kind: ResourceKind;
  readonly sent: URLSearchParams;
  readonly title: string;
  readonly priceKopecks: Kopecks | undefined;
  readonly quantity: number | undefined;
  readonly filters: Filters;
  readonly wrong: WrongFields;
  readonly wrongFilters: ReadFilters['wrong'];
  readonly terms:
    | {
        /** Empty: the name of the resource is used. */
        readonly title: string;
        readonly priceKopecks: Kopecks;
        readonly quantity: number;
        readonly dailyLimit: number | null;
        readonly paceEvenly: boolean;
        readonly activeHours: readonly number[] | null;
        readonly holdSeconds: number;
        readonly refund: boolean;
        readonly filters: Filters;
      }
    | undefined;
}

/** Reads the terms of an order by the rules of the management bot's wizard. */
export function readOrderForm({ shared, texts, formats }: Visit, sent: URLSearchParams): OrderForm {
  const wrong = new Map<string, string>();
  const text = (name: string): string => sent.get(name)?.replace(/\s+/g, ' ').trim() ?? '';
  const { inputs } = shared.orders;
  const wholeNumber = (min: number, max: number): string =>
    texts.filters.problems.number(formats.count(min), formats.count(max));

  const title = text('title');
  if (title.length > MAX_TITLE) wrong.set('title', texts.newOrder.tooLong(MAX_TITLE));
  const priceKopecks = readRubles(text('price'));
  const { wrongAmount, range } = shared.inputs;
  if (priceKopecks === undefined) wrong.set('price', wrongAmount);
  else if (priceKopecks < PRICE.min || priceKopecks > PRICE.max)
    wrong.set('price', range(formats.rubles(PRICE.min), formats.rubles(PRICE.max)));
  const quantity = readCount(text('quantity'), QUANTITY);
  if (quantity === undefined) wrong.set('quantity', wholeNumber(QUANTITY.min, QUANTITY.max));
  const most = quantity ?? QUANTITY.max;
  const dailyLimit = text('daily_limit') === '' ? null : readCount(text('daily_limit'), { min: 1, max: most });
  if (dailyLimit === undefined) wrong.set('daily_limit', wholeNumber(1, most));
  const activeHours = text('hours') === '' ? null : readHours(text('hours'));
  if (activeHours === undefined) wrong.set('hours', inputs.wrongHours);
  const holdHours = readCount(text('hold'), HOLD_HOURS);
  if (holdHours === undefined) wrong.set('hold', wholeNumber(HOLD_HOURS.min, HOLD_HOURS.max));
  const { filters, wrong: wrongFilters } = readFilters(sent);

  const isComplete =
    priceKopecks !== undefined &&
    quantity !== undefined &&
    dailyLimit !== undefined &&
    activeHours !== undefined &&
    holdHours !== undefined &&
    wrong.size === 0 &&
    wrongFilters.size === 0;
  return {
    kind: RESOURCE_KINDS.find((kind) => kind === sent.get('kind')) ?? 'channel',
    sent,
    title,
    priceKopecks,
    quantity,
    filters,
    wrong,
    wrongFilters,
    terms: isComplete
      ? {
          title,
          priceKopecks,
          quantity,
          dailyLimit,
          paceEvenly: dailyLimit !== null && sent.get('pace') === 'yes',
          activeHours,
          holdSeconds: holdHours * 60 * 60,
          refund: sent.get('refund') === 'yes',
          filters,
        }
      : undefined,
  };
}
