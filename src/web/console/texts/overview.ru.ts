import { FORMATS } from '../../../core/locale.ts';

const { plural, count: figure } = FORMATS.ru;

export const overviewRu = {
  overview: {
    title: 'Обзор',
    available: 'Доступно',
    withdrawable: (amount: string): string => `можно тратить и выводить: ${amount}`,
    hold: 'В холде',
    holdNote: 'заработано, но ещё не окончательно',
    earnedToday: 'Заработано сегодня',
    earnedWeek: (amount: string): string => `за 7 дней: ${amount}`,
    spentMonth: 'Потрачено за 30 дней',
    spentNote: (count: number): string =>
      `${figure(count)} ${plural(count, 'подписчик', 'подписчика', 'подписчиков')}, возвраты вычтены`,
    active: 'Боты / заказы',
    activeNote: 'работают сейчас',
    openPayouts: 'Выплаты в пути',
    openPayoutsNote: (count: number): string =>
      count === 0 ? 'нет открытых заявок' : `${figure(count)} ${plural(count, 'заявка', 'заявки', 'заявок')}`,
    asPublisher: 'Ваши боты',
    asAdvertiser: 'Ваши заказы',
    newTitle: 'Пока нечего показать',
    newText: 'Добавьте бота или создайте заказ в боте управления: здесь появятся доход, расходы и графики.',
  },
  charts: {
    empty: 'За этот период ничего не было.',
    revenue: 'Доход по дням',
    revenueNote:
      'Вознаграждения за подписки, засчитанные в этот день, включая холд; вниз – списанное в этот день из-за отписок.',
    earned: 'Заработано',
    takenBack: 'Списано',
    spending: 'Расход по дням',
    spendingNote: 'Списано с заказов за засчитанные в этот день подписки; вниз – возвращено в этот день.',
    spent: 'Потрачено',
    returned: 'Возвращено',
    subscriptions: 'Подписки и отписки',
    subscriptionsNote: 'Засчитано в этот день; вниз – снято в этот день, когда бы ни было засчитано.',
    subscribers: 'Подписчики',
    subscribersNote: 'Пришло в этот день; вниз – ушло в течение суток и снято в этот день.',
    counted: 'Засчитано',
    reversed: 'Снято',
    conversion: 'Конверсия по дням',
    conversionNote:
      'Сколько процентов заданий, впервые показанных в этот день, дали подписку. Подписка после полуночи попадает в следующий день.',
    holds: 'Выход из холда',
    holdsNote: 'Сколько и когда станет доступно, если пользователи не отпишутся. Время московское.',
    released: 'Станет доступно',
    later: 'позже',
    noHolds: 'В холде ничего нет.',
  },
};
