/** The content of a cell. A `bigint` is kopecks and is written as rubles; a time is written as Moscow time. */
export type CsvValue = string | number | bigint | Date | null;

/** Without it, Excel reads the file in a legacy code page and garbles Cyrillic. */
const BYTE_ORDER_MARK = '\ufeff';

/** Spreadsheets recognise `2026-05-05 14:30:00` as a time in every language. */
const MOSCOW_TIME = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Europe/Moscow',
});

/** Returns a file as RFC 4180 defines it: commas, CRLF, doubled quotes. */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(toCell).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function toCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'bigint') return plainRubles(value);
  return quote(value instanceof Date ? MOSCOW_TIME.format(value) : escapeFormula(value));
}

/** A spreadsheet runs a text that starts like a formula. The apostrophe makes it a text; our own numbers need none. */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);

const quote = (text: string): string => (/[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns `1234.50`, which spreadsheets and `readRubles` read. */
export function plainRubles(kopecks: bigint): string {
  const absolute = kopecks < 0n ? -kopecks : kopecks;
  return `${kopecks < 0n ? '-' : ''}${absolute / 100n}.${String(absolute % 100n).padStart(2, '0')}`;
}
