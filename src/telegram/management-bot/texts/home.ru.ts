import { html, lines } from '../../../core/html.ts';

export const homeRu = {
  greeting: (p: { name: string; accountId: number; available: string; hold: string }) =>
    lines(
      html`👋 <b>${p.name}</b>, это Sponsorgate: биржа подписчиков для ботов Telegram.\n`,
      html`Счёт №<b>${p.accountId}</b>`,
      html`💰 Доступно: <b>${p.available}</b>`,
      html`⏳ В холде: <b>${p.hold}</b>\n`,
      html`Зарабатывайте на своих ботах или покупайте подписчиков для каналов и ботов.`,
    ),
  bots: '🤖 Мои боты',
  orders: '📣 Мои заказы',
  balance: '💰 Баланс',
  contests: '🏆 Конкурсы',
  notices: '🔔 Уведомления',
  language: '🌐 Язык',
  operator: '🛠 Оператор',
  chooseLanguage: html`На каком языке говорить?`,
  languageName: 'Русский',
};
