import { html, lines } from '../../../core/html.ts';
import type { consoleRu } from './console.ru.ts';

export const consoleEn: typeof consoleRu = {
  open: '🖥 Web console',
  page: (p) =>
    lines(
      html`🖥 <b>Web console</b>\n`,
      html`Charts, bots, orders, links, webhooks and CSV files, in a browser. No password: a link lets you in.\n`,
      html`⚠️ The link below is your key: it works once, for 5 minutes. Do not pass it on.\n`,
      html`Open sessions: <b>${p.devices}</b>`,
    ),
  enter: '➡️ Open the console',
  address: (p) => html`<code>${p.url}</code>`,
  another: '🔄 New link',
  endAll: '🚪 Sign out everywhere',
  confirm: html`End all sessions of the web console?`,
  ended: 'All sessions have ended.',
};
