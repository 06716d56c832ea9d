import { FORMATS } from '../../../core/locale.ts';
import type { overviewRu } from './overview.ru.ts';

const { plural, count: figure } = FORMATS.en;

export const overviewEn: typeof overviewRu = {
  overview: {
    title: 'Overview',
    available: 'Available',
    withdrawable: (amount) => `to spend or withdraw: ${amount}`,
    hold: 'In hold',
    holdNote: 'earned, not final yet',
    earnedToday: 'Earned today',
    earnedWeek: (amount) => `in 7 days: ${amount}`,
    spentMonth: 'Spent in 30 days',
    spentNote: (count) => `${figure(count)} ${plural(count, 'subscriber', 'subscribers', 'subscribers')}, less returns`,
    active: 'Bots / orders',
    activeNote: 'running now',
    openPayouts: 'Payouts under way',
    openPayoutsNote: (count) =>
      count === 0 ? 'no open requests' : `${figure(count)} ${plural(count, 'request', 'requests', 'requests')}`,
    asPublisher: 'Your bots',
    asAdvertiser: 'Your orders',
    newTitle: 'Nothing to show yet',
    newText: 'Add a bot or create an order in the management bot: income, spending and charts will be here.',
  },
  charts: {
    empty: 'Nothing happened in this period.',
    revenue: 'Revenue by day',
    revenueNote:
      'Rewards for subscriptions counted on that day, hold included; downwards what was taken back on that day because users left.',
    earned: 'Earned',
    takenBack: 'Taken back',
    spending: 'Spending by day',
    spendingNote: 'Charged to your orders for subscriptions counted on that day; downwards what came back on that day.',
    spent: 'Spent',
    returned: 'Returned',
    subscriptions: 'Subscriptions and reversals',
    subscriptionsNote: 'Counted on that day; downwards those taken back on that day, whenever they were counted.',
    subscribers: 'Subscribers',
    subscribersNote: 'Gained on that day; downwards those who left within a day and were taken back on that day.',
    counted: 'Counted',
    reversed: 'Reversed',
    conversion: 'Conversion by day',
    conversionNote:
      'Of the tasks first shown on that day, how many in a hundred became subscriptions. One made after midnight belongs to the next day.',
    holds: 'Leaving hold',
    holdsNote: 'How much becomes available and when, if the users stay. Times are Moscow’s.',
    released: 'Becomes available',
    later: 'later',
    noHolds: 'There is nothing in hold.',
  },
};
