import { escapeHtml } from '../../core/html.ts';

const STYLE =
  '.sg-table{border-collapse:collapse;font:14px/1.4 system-ui,sans-serif}' +
  '.sg-table caption{text-align:left;font-weight:600;padding:4px 0}' +
  '.sg-table th,.sg-table td{border:1px solid #8884;padding:4px 10px;text-align:left}' +
  '.sg-table th{background:#8882}' +
  '.sg-table td.n{text-align:right;font-variant-numeric:tabular-nums}';

type Cell = string | number | boolean;

/** Renders a table for embedding in an admin panel, with its own styles. */
export function htmlTable(caption: string, columns: readonly string[], rows: readonly Record<string, Cell>[]): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${columns.map((column) => cell(row[column] ?? '')).join('')}</tr>`).join('');
  const empty = `<tr><td colspan="${columns.length}">Nothing yet</td></tr>`;
  return (
    `<style>${STYLE}</style><table class="sg-table"><caption>${escapeHtml(caption)}</caption>` +
    `<thead><tr>${head}</tr></thead><tbody>${body || empty}</tbody></table>`
  );
}

function cell(value: Cell): string {
  const kind = typeof value === 'number' ? ' class="n"' : '';
  return `<td${kind}>${escapeHtml(String(value))}</td>`;
}
