import { type Html, html, inline } from '../../core/html.ts';
import { FORMATS, type Language } from '../../core/locale.ts';

/**
 * A report works in three places: on its own, in a frame, and inserted into a foreign page. There the browser drops the
 * tags html, head and body, so rules for the whole page stand in their style attributes, and all others name our class.
 * Text and lines take their colour from the page around them, light or dark.
 */
const STYLE = `.sg-report{font:14px/1.45 system-ui,sans-serif;padding:12px;overflow-x:auto}
.sg-report h1{font-size:18px;margin:0 0 10px}
.sg-report table{border-collapse:collapse;width:100%}
.sg-report th,.sg-report td{border-bottom:1px solid #8886;padding:6px 12px;text-align:left;vertical-align:top}
.sg-report thead th{background:#8882;white-space:nowrap}
.sg-report td{max-width:24em;overflow-wrap:break-word}
.sg-report .sg-number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}`;

type Cell = string | number | boolean;

const LABELS = {
  ru: {
    bot_id: 'Номер',
    bot_username: 'Бот',
    is_active: 'Включён',
    total_subscribers: 'Подписчики',
    revenue: 'Доход, ₽',
    order_id: 'Заказ',
    name: 'Название',
    status: 'Статус',
    price_per_sub: 'Цена подписчика, ₽',
    subscribers: 'Подписчики',
    cr_pct: 'Конверсия, %',
    spent: 'Потрачено, ₽',
    user_id: 'Пользователь',
    amount: 'Сумма, ₽',
    created_at: 'Время (МСК)',
  },
  en: {
    bot_id: 'Number',
    bot_username: 'Bot',
    is_active: 'Active',
    total_subscribers: 'Subscribers',
    revenue: 'Revenue, ₽',
    order_id: 'Order',
    name: 'Name',
    status: 'Status',
    price_per_sub: 'Price per subscriber, ₽',
    subscribers: 'Subscribers',
    cr_pct: 'Conversion, %',
    spent: 'Spent, ₽',
    user_id: 'User',
    amount: 'Amount, ₽',
    created_at: 'Time (Moscow)',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, string>>>>;

export type Column = keyof (typeof LABELS)['en'];

const WORDS = {
  ru: {
    bots: 'Боты',
    orders: 'Заказы',
    subscriptions: 'Подписки',
    empty: 'Пока ничего нет',
    yes: 'да',
    no: 'нет',
    age: (seconds: number): string => `Цифры отстают на ${seconds} с`,
  },
  en: {
    bots: 'Bots',
    orders: 'Orders',
    subscriptions: 'Subscriptions',
    empty: 'Nothing yet',
    yes: 'yes',
    no: 'no',
    age: (seconds: number): string => `The figures are ${seconds} s old`,
  },
} as const;

export interface HtmlReport {
  readonly language: Language;
  readonly kind: 'bots' | 'orders' | 'subscriptions';
  /** How old the rows are when they come from a read replica. */
  readonly ageSeconds?: number | undefined;
  /** The bot or order whose subscriptions are listed. */
  readonly of?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** Returns a report as a document that can also be inserted into another page. */
export function htmlReport({ language, kind, of, ageSeconds, columns, rows }: HtmlReport): string {
  const words = WORDS[language];
  const title = of === undefined ? words[kind] : `${words[kind]}: ${of}`;
  const isNumber = (column: Column): boolean => rows.some((row) => typeof row[column] === 'number');
  const head = columns.map(
    (column) =>
      html`<th scope="col" data-field="${column}"${isNumber(column) && html` class="sg-number"`}>${LABELS[language][column]}</th>`,
  );
  const body = rows.map((row) => html`<tr>${columns.map((column) => cell(language, column, row[column] ?? ''))}</tr>`);
  const empty = html`<tr><td colspan="${columns.length}">${words.empty}</td></tr>`;
  return html`<!doctype html>
<html lang="${language}" style="color-scheme: light dark">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sponsorgate</title></head>
<body style="margin: 0; color: CanvasText; background: Canvas">
${inline('style', STYLE)}
<section class="sg-report" lang="${language}" aria-label="${title}" tabindex="0"><h1>${title}</h1>
<table><thead><tr>${head}</tr></thead><tbody>${body.length === 0 ? empty : body}</tbody></table>${ageSeconds !== undefined && html`<p>${words.age(ageSeconds)}</p>`}</section>
</body>
</html>
`.source;
}

function cell(language: Language, column: Column, value: Cell): Html {
  if (typeof value === 'number') return html`<td class="sg-number">${value}</td>`;
  if (typeof value === 'boolean') return html`<td>${WORDS[language][value ? 'yes' : 'no']}</td>`;
  if (column !== 'created_at' || value === '') return html`<td>${value}</td>`;
  return html`<td><time datetime="${value}">${FORMATS[language].moment(new Date(value))}</time></td>`;
}
