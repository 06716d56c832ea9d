import { clip, html, lines } from '../../../core/html.ts';
import type { Formats } from '../../../core/locale.ts';
import { filtersRu } from './advertiser-filters.ru.ts';
import { orderPageRu } from './advertiser-page.ru.ts';
import { wizardRu } from './advertiser-wizard.ru.ts';

/** The most filter lines that fit into a message with the other texts. */
const MAX_FILTERS = 12;

export const advertiserRu = {
  common: {
    allDay: 'круглосуточно',
    noHold: 'без холда',
    hours: (p: { number: number; count: string; plural: Formats['plural'] }) =>
      `${p.count} ${p.plural(p.number, 'час', 'часа', 'часов')}`,
    terms: (p: {
      limit: string | undefined;
      isEven: boolean;
      hours: string;
      hold: string;
      refund: boolean;
      filters: readonly string[];
    }) =>
      lines(
        p.limit === undefined
          ? html`📆 Лимит в сутки: нет`
          : html`📆 Лимит в сутки: <b>${p.limit}</b>${p.isEven ? ', равномерно' : ''}`,
        html`🕘 Часы показа: <b>${p.hours}</b> (по Москве)`,
        html`⏳ Холд: <b>${p.hold}</b>, возврат за отписки: <b>${p.refund ? 'да' : 'нет'}</b>`,
        html`👥 Аудитория: ${p.filters.length === 0 ? 'все' : ''}`,
        ...p.filters.slice(0, MAX_FILTERS).map((line) => html`  • ${clip(line, 120)}`),
        p.filters.length > MAX_FILTERS ? html`  • и ещё ${p.filters.length - MAX_FILTERS}` : undefined,
      ),
  },
  list: {
    title: html`📣 <b>Мои заказы</b>

Нажмите на заказ, чтобы посмотреть, как он идёт, или изменить его.`,
    empty: html`📣 <b>Мои заказы</b>

Заказов пока нет. Создайте первый: новые подписчики придут в ваш канал, группу или бота, а платите вы только за тех, кто действительно подписался.`,
    number: (id: number) => `№${id}`,
    newOrder: '➕ Новый заказ',
    continueDraft: '✏️ Продолжить черновик',
    draftKept: 'Черновик сохранён: его можно продолжить в любой момент.',
  },
  wizard: wizardRu,
  filters: filtersRu,
  ...orderPageRu,
};
