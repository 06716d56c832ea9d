import { clip, html, lines } from '../../../core/html.ts';
import type { commonRu } from './common.ru.ts';

export const commonEn: typeof commonRu = {
  common: {
    back: '⬅️ Back',
    home: '🏠 Menu',
    cancel: '✖️ Cancel',
    yes: '✅ Yes',
    no: '✖️ No',
    on: 'on',
    off: 'off',
    nothing: 'Nothing here yet.',
    copy: '📋 Copy',
    next: 'Next ➡️',
    skip: 'Skip',
    refresh: '🔄 Refresh',
    done: 'Done.',
    wrongCount: ({ min, max }) => `A whole number from ${min} to ${max} is needed.`,
    tooLong: ({ most }) => `Too long: at most ${most} characters.`,
  },
  access: {
    onlyPrivate: 'I only talk in private messages: open a chat with me.',
    tooFast: 'Too fast. Wait a moment, then go on.',
    failed: 'Something went wrong. Please try again a little later.',
    flood: ({ seconds }) =>
      `Telegram asks us to wait ${seconds} s, so the screen did not change. Press again after that.`,
    stale: 'That button is out of date, here is the menu.',
    banned: 'Your account is blocked by an operator.',
    checkerBot: (p) => `I only check who subscribed. Orders, balance and help: @${p.bot}`,
  },
  profile: {
    description:
      'Sponsorgate is an exchange for subscribers of Telegram bots. Bot owners show tasks and earn with every subscription. Advertisers get subscribers for a channel, group or bot and pay only for those who subscribe and stay.',
    shortDescription: 'The exchange for subscribers: earn with your bot, or buy subscribers.',
    commands: {
      start: 'Menu',
      bots: 'My bots',
      orders: 'My orders',
      balance: 'Balance and payouts',
      notices: 'Notices',
      console: 'Web console',
      language: 'Language',
    },
  },
  home: {
    greeting: (p) =>
      lines(
        html`👋 <b>${clip(p.name, 64)}</b>, this is Sponsorgate: the exchange for subscribers of Telegram bots.\n`,
        html`Account no. <b>${p.accountId}</b>`,
        html`💰 Available: <b>${p.available}</b>`,
        html`⏳ In hold: <b>${p.hold}</b>\n`,
        html`Earn with your bots, or buy subscribers for channels and bots.`,
      ),
    bots: '🤖 My bots',
    orders: '📣 My orders',
    balance: '💰 Balance',
    contests: '🏆 Contests',
    notices: '🔔 Notices',
    language: '🌐 Language',
    operator: '🛠 Operator',
    chooseLanguage: html`Which language shall we speak?`,
    languageName: 'English',
  },
  console: {
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
  },
};
