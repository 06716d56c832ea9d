import { html, lines } from '../../../core/html.ts';
import type { homeRu } from './home.ru.ts';

export const homeEn: typeof homeRu = {
  greeting: (p) =>
    lines(
      html`👋 <b>${p.name}</b>, this is Sponsorgate: the exchange for subscribers of Telegram bots.\n`,
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
};
