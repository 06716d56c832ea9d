/** What a cell of a file holds. A `bigint` is money in kopecks and becomes rubles; a time is shown as Moscow has it. */
export type CsvValue = string | number | bigint | Date | null;

/** Excel takes a file without it for one in an old code page, and Cyrillic for noise. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180: commas, CRLF, quotes doubled. */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(toCell).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function toCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'bigint') return rubles(value);
  return quote(value instanceof Date ? moscowTime(value) : disarm(value));
}

/** A spreadsheet runs a text that begins like a formula. With an apostrophe it is a text; our own numbers need none. */
function disarm(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function rubles(kopecks: bigint): string {
  const absolute = kopecks < 0n ? -kopecks : kopecks;
  return `${kopecks < 0n ? '-' : ''}${absolute / 100n}.${String(absolute % 100n).padStart(2, '0')}`;
}

const MOSCOW = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Europe/Moscow',
});

/** `2026-05-05 14:30:00`: spreadsheets take it for a time in every language. */
function moscowTime(time: Date): string {
  return MOSCOW.format(time);
}
