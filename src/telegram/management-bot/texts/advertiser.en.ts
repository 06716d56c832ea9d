import { clip, html, lines } from '../../../core/html.ts';
import type { advertiserRu } from './advertiser.ru.ts';
import { filtersEn } from './advertiser-filters.en.ts';
import { orderPageEn } from './advertiser-page.en.ts';
import { wizardEn } from './advertiser-wizard.en.ts';

/** The most filter lines that fit into a message with the other texts. */
const MAX_FILTERS = 12;

export const advertiserEn: typeof advertiserRu = {
  common: {
    allDay: 'around the clock',
    noHold: 'no hold',
    hours: (p) => `${p.count} ${p.plural(p.number, 'hour', 'hours', 'hours')}`,
    terms: (p) =>
      lines(
        p.limit === undefined
          ? html`📆 Daily limit: none`
          : html`📆 Daily limit: <b>${p.limit}</b>${p.isEven ? ', spread evenly' : ''}`,
        html`🕘 Hours: <b>${p.hours}</b> (Moscow time)`,
        html`⏳ Hold: <b>${p.hold}</b>, refund for those who leave: <b>${p.refund ? 'yes' : 'no'}</b>`,
        html`👥 Audience: ${p.filters.length === 0 ? 'everybody' : ''}`,
        ...p.filters.slice(0, MAX_FILTERS).map((line) => html`  • ${clip(line, 120)}`),
        p.filters.length > MAX_FILTERS ? html`  • and ${p.filters.length - MAX_FILTERS} more` : undefined,
      ),
  },
  list: {
    title: html`📣 <b>My orders</b>

Press an order to see how it goes or to change it.`,
    empty: html`📣 <b>My orders</b>

No orders yet. Create the first one: new subscribers come to your channel, group or bot, and you pay only for those who really subscribed.`,
    number: (id) => `#${id}`,
    newOrder: '➕ New order',
    continueDraft: '✏️ Continue the draft',
    draftKept: 'The draft is kept: continue it whenever you like.',
  },
  wizard: wizardEn,
  filters: filtersEn,
  ...orderPageEn,
};
