import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { operatorPlatformRu } from './operator-platform.ru.ts';

export const operatorPlatformEn: typeof operatorPlatformRu = {
  figures: {
    title: html`📊 <b>Figures</b>`,
    periods: { last7Days: '7 days', last30Days: '30 days', allTime: 'All time' },
    block: (p) =>
      lines(
        html`<b>${p.period}</b>`,
        html`Subscriptions: ${p.subscriptions}, reversed: ${p.reversals}`,
        html`Turnover: ${p.turnover}, publishers: ${p.revenue}, platform: ${p.margin}`,
        html`Paid out: ${p.payouts}`,
        html`Bots: ${p.bots}, orders: ${p.orders}, users: ${p.users}`,
        EMPTY_LINE,
      ),
    books: '⚖️ Check the books',
    balanced: (p) => html`⚖️ The books are balanced: ${p.accounts} accounts checked, all balances together are zero.`,
    faults: (p) =>
      lines(
        html`⚠️ <b>The books are not balanced</b>, faults: ${p.count}`,
        ...p.faults.map((fault) => html`• ${clip(fault, 200)}`),
      ),
  },

  broadcasts: {
    title: html`📢 <b>Broadcasts</b>`,
    start: '➕ New broadcast',
    line: (p) => `No. ${p.id} · ${p.status} · ${clip(p.text, 24)}`,
    statuses: { sending: 'being sent', finished: 'finished', stopped: 'stopped' },
    askRu: (p) =>
      html`📢 <b>New broadcast</b>\n\nWrite the text in Russian, at most ${p.most} characters. Everybody who speaks Russian with the bot gets it.`,
    askEn: (p) => html`📢 Now the same text in English, at most ${p.most} characters.`,
    same: 'The same text',
    preview: (p) =>
      lines(
        html`📢 <b>Send this to everybody?</b>`,
        EMPTY_LINE,
        html`<b>RU</b>`,
        html`${p.ru}`,
        EMPTY_LINE,
        html`<b>EN</b>`,
        html`${p.en}`,
      ),
    page: (p) =>
      lines(
        html`📢 <b>Broadcast ${p.id}</b> · ${p.status}`,
        html`Created: ${p.created}`,
        html`${p.bar} ${p.done} of ${p.total}`,
        html`Delivered: <b>${p.sent}</b>, not delivered: <b>${p.failed}</b>`,
        EMPTY_LINE,
        html`${clip(p.text, 1000)}`,
      ),
    stop: '⏹ Stop',
    stopped: 'The broadcast is stopped.',
    notSending: 'The broadcast is no longer going out.',
    list: '📢 To the broadcasts',
  },

  log: {
    title: html`📜 <b>Log of decisions</b>`,
    actions: {
      'order.approved': 'Order approved',
      'order.rejected': 'Order rejected',
      'order.paused': 'Order paused',
      'order.resumed': 'Order resumed',
      'account.credited': 'Money credited',
      'account.debited': 'Money debited',
      'account.frozen': 'Withdrawals of the account frozen',
      'account.unfrozen': 'Withdrawals of the account released',
      'account.banned': 'Account banned',
      'account.unbanned': 'Ban of account lifted',
      'deposit.declined': 'Request to deposit closed',
      'payout.approved': 'Payout approved',
      'payout.rejected': 'Payout rejected',
      'payout.sent': 'Payout sent',
      'payout.frozen': 'Payout frozen',
      'payout.unfrozen': 'Payout released',
      'beta.granted': 'Beta access granted',
      'beta.revoked': 'Beta access revoked',
      'contest.created': 'Contest created',
      'contest.approved': 'Prizes of a contest approved',
      'contest.cancelled': 'Contest cancelled',
      'broadcast.started': 'Broadcast started',
      'broadcast.stopped': 'Broadcast stopped',
      'user.banned': 'User banned',
      'user.unbanned': 'Ban of user lifted',
      'subscriptions.reversed': 'Subscriptions reversed',
    },
    subjects: {
      order: 'order',
      account: 'account',
      deposit: 'request',
      payout: 'payout',
      bot: 'bot',
      contest: 'contest',
      broadcast: 'broadcast',
      user: 'user',
      reversal: 'reversal',
    },
    line: (p) =>
      lines(
        html`${p.at} · ${p.operatorId}`,
        html`<b>${p.action}</b>: ${p.subject} ${p.id}${p.details === '' ? '' : ` · ${clip(p.details, 150)}`}`,
        EMPTY_LINE,
      ),
  },
};
