import type { FilterKey } from '../../../modules/targeting/index.ts';

export const filtersRu = {
  filters: {
    title: 'Кого искать',
    note: 'Известное и не подходящее – скрываем, неизвестное – показываем. Новая цена действует для заданий, показанных с этого момента.',
    hints: {
      languages: 'Коды через запятую: ru, en, uz',
      countries: 'Коды стран через запятую: RU, BY, KZ',
      cities: 'Через запятую, на любом языке: Москва, Kazan',
      account_age_years: 'не моложе, лет',
      rating: 'не ниже уровня',
      gifts: 'не меньше, штук (1–100)',
      fresh_days: 'впервые замечен не больше, дней назад (1–365)',
    } satisfies Partial<Record<FilterKey, string>>,
    known: 'Известно о пользователях',
    unknownFull: 'Неизвестным заказ тоже показывают, по той же цене: с полным коэффициентом.',
    unknownBase:
      'Неизвестным заказ тоже показывают. Коэффициент берётся, только если значение известно, иначе – базовая цена.',
    knownOfSubscribers: 'Известно о последних подписчиках',
    knownShare: (name: string, known: string, unknown: string): string =>
      `${name}: известно ${known}, неизвестно ${unknown}`,
    nothingKnown: 'нет данных',
    from: 'от',
    to: 'до',
    estimate: 'Что получится',
    price: 'Цена за подписчика',
    basePrice: (amount: string): string => `базовая ${amount}`,
    factor: 'Коэффициент',
    audience: 'Аудитория',
    audienceOf: (matching: string, known: string): string => `${matching} из ${known}`,
    approximately: (text: string): string => `≈ ${text}`,
    audienceNote: 'известных нам пользователей увидят заказ',
    left: 'Хватит ещё на',
    leftNote: 'подписчиков по этой цене',
    recalculate: 'Пересчитать',
    save: 'Сохранить фильтры',
    saved: 'Фильтры сохранены.',
    wrong: (names: string): string => `Проверьте: ${names}.`,
    closed: 'Заказ закрыт: фильтры уже не изменить.',
  },
};
