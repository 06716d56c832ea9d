import { clip, html, lines } from '../../../core/html.ts';
import type { operatorPlatformRu } from './operator-platform.ru.ts';

export const operatorPlatformEn: typeof operatorPlatformRu = {
  figures: {
    title: html`📊 <b>Figures</b>`,
    block: (p) =>
      lines(
        html`<b>${p.period}</b>`,
        html`Subscriptions: ${p.subscriptions}, reversed: ${p.reversals}`,
        html`Turnover: ${p.turnover}, publishers: ${p.revenue}, platform: ${p.margin}`,
        html`Paid out: ${p.payouts}`,
        html`Bots: ${p.bots}, orders: ${p.orders}, users: ${p.users}\n`,
      ),
    books: '⚖️ Check the books',
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
        html`📢 <b>Send this to everybody?</b>\n`,
        html`<b>RU</b>`,
        html`${p.ru}\n`,
        html`<b>EN</b>`,
        html`${p.en}`,
      ),
    page: (p) =>
      lines(
        html`📢 <b>Broadcast ${p.id}</b> · ${p.status}`,
        html`Created: ${p.created}`,
        html`${p.bar} ${p.done} of ${p.total}`,
        html`Delivered: <b>${p.sent}</b>, not delivered: <b>${p.failed}</b>\n`,
        html`${clip(p.text, 1000)}`,
      ),
    stop: '⏹ Stop',
    stopped: 'The broadcast is stopped.',
    notSending: 'The broadcast is no longer going out.',
    list: '📢 To the broadcasts',
  },

  checkers: {
    menu: '🤖 Checker bots',
    title: (p) =>
      lines(
        html`🤖 <b>Checker bots</b>\n`,
        html`Each checks the channels in which it is an administrator, with 25 checks a second of its own. The order wizard names the one with the least work.`,
        p.hasAny ? undefined : html`\nThere is none yet: this bot checks all channels.`,
      ),
    line: (p) => `@${clip(p.username, 32)} · ${p.state} · ${p.channels}`,
    add: '➕ Add a bot',
    ask: html`🤖 <b>A new checker bot</b>\n\nCreate a bot with @BotFather that no other program uses, and send its token. I delete your message at once and keep the token encrypted.`,
    page: (p) =>
      lines(
        html`🤖 <b>@${p.username}</b> · ${p.state}\n`,
        html`${p.what}\n`,
        html`Channels with open orders: <b>${p.channels}</b>`,
        html`Subscriptions to check: <b>${p.checks}</b>`,
        html`Added: ${p.added}`,
      ),
    remove: '🗑 Remove',
    list: '🤖 To the checker bots',
  },

  log: {
    title: html`📜 <b>Log of decisions</b>`,
    line: (p) =>
      lines(
        html`${p.at} · ${p.operatorId}`,
        html`<b>${p.action}</b>: ${p.subject} ${p.id}${p.details === '' ? '' : ` · ${clip(p.details, 150)}`}\n`,
      ),
  },
};
