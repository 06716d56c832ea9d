import { html, lines } from '../../../core/html.ts';
import type { Words } from './words.ts';

/** The page of an order and its actions. */
export const orderPageRu = {
  page: {
    title: (p: { id: number; title: string; link: string }) =>
      lines(html`📣 <b>Заказ №${p.id}</b> «${p.title}»`, html`🔗 ${p.link}`),
    progress: (p: { counted: string; quantity: string; reversed: string; reserved: string; conversion: string }) =>
      lines(
        html`🎯 Подписчиков: <b>${p.counted}</b> из ${p.quantity}`,
        html`👀 Выполняют сейчас: ${p.reserved} · ушли раньше срока: ${p.reversed}`,
        html`📈 Конверсия: <b>${p.conversion}</b>`,
      ),
    money: (p: { spent: string; remainder: string; price: string; charge: string; reward: string }) =>
      lines(
        html`💸 Потрачено: <b>${p.spent}</b> · остаток: <b>${p.remainder}</b>`,
        html`💵 Цена: ${p.price}, с фильтрами: <b>${p.charge}</b>, издателю: ${p.reward}`,
      ),
    limitToday: (p: { limit: string; today: string }) => `${p.limit} (сегодня ${p.today})`,
    reason: (p: { reason: string }) => html`Причина: ${p.reason}`,
    postback: (p: { url: string; secret: string }) =>
      lines(
        html``,
        html`🔌 <b>Postback.</b> Отправьте POST с JSON <code>{"click_id", "status": "approved" или "rejected", "signature"}</code>. Метка клика приходит боту в <code>/start</code>, подпись: HMAC-SHA256 от <code>click_id:status</code> с секретом, в hex.`,
        html`Адрес: <code>${p.url}</code>`,
        html`Секрет: <code>${p.secret}</code>`,
      ),
    copyUrl: '📋 Адрес',
    copySecret: '📋 Секрет',
    open: '🔗 Открыть',
    users: '👥 Аудитория',
    usersApp: '🪟 Все фильтры на одной странице',
    statistics: '📊 Статистика',
    sources: '📡 Источники',
    timetable: '🕘 Лимит и часы',
    topUp: '➕ Докупить',
    pause: '⏸ Пауза',
    resume: '▶️ Возобновить',
    recheck: '🔄 Проверить права',
    thenRecheck: html`Потом нажмите «Проверить права».`,
    cancel: '🛑 Отменить заказ',
    stillLost: (p: { bot: string }) =>
      `Пока не получается: @${p.bot} не администратор, или токен бота не работает. Исправьте это и попробуйте снова.`,
    askCancel: (p: { id: number; refund: string; reserved: string | undefined }) =>
      lines(
        html`Отменить заказ №${p.id}? Вернуть его потом нельзя.\n`,
        html`На баланс сразу вернётся <b>${p.refund}</b>.`,
        p.reserved === undefined
          ? undefined
          : html`Ещё <b>${p.reserved}</b> обещаны тем, кто сейчас выполняет задание: что не понадобится, вернётся чуть позже.`,
      ),
    cancelYes: '🛑 Да, отменить',
    askTopUp: (p: { id: number; charge: string }) =>
      html`Сколько подписчиков докупить к заказу №${p.id}? Один стоит <b>${p.charge}</b>.`,
    confirmTopUp: (p: { id: number; count: string; cost: string; balance: string }) =>
      lines(
        html`Заказ №${p.id}: ещё <b>${p.count}</b> подписчиков за <b>${p.cost}</b>.`,
        html`💰 На балансе: <b>${p.balance}</b>`,
      ),
    buy: (p: { cost: string }) => `✅ Докупить за ${p.cost}`,
    toppedUp: 'Заказ пополнен.',
  },
  timetable: {
    title: (p: { id: number; limit: string | undefined; isEven: boolean; hours: string }) =>
      lines(
        html`🕘 <b>Заказ №${p.id}: лимит и часы</b>\n`,
        p.limit === undefined
          ? html`Лимит в сутки: нет`
          : html`Лимит в сутки: <b>${p.limit}</b>, ${p.isEven ? 'равномерно' : 'как можно быстрее'}`,
        html`Часы показа: <b>${p.hours}</b> (по Москве)`,
      ),
    limit: '📆 Лимит',
    hours: '🕘 Часы',
    evenly: 'Равномерно',
  },
  sources: {
    title: (p: { id: number }) =>
      lines(
        html`📡 <b>Заказ №${p.id}: источники</b>`,
        html`Какие боты приводят подписчиков и сколько из них остаётся через день и через неделю.`,
      ),
    none: html`Пока никого не привели.`,
    tooEarly: 'рано судить',
    line: (
      p: Words<'username' | 'counted' | 'reversed' | 'spent' | 'afterOneDay' | 'afterSevenDays'> & {
        isExcluded: boolean;
        quality: string | undefined;
      },
    ) =>
      lines(
        html`${p.isExcluded ? '🚫' : '🤖'} <b>@${p.username}</b>: ${p.counted} (ушли раньше срока ${p.reversed}), ${p.spent}`,
        html`   остались через день: <b>${p.afterOneDay}</b>, через неделю: <b>${p.afterSevenDays}</b>`,
        p.quality === undefined ? undefined : html`   качество: <b>${p.quality}</b>`,
      ),
    exclude: (p: { username: string }) => `🚫 Исключить @${p.username}`,
    include: (p: { username: string }) => `↩️ Вернуть @${p.username}`,
    excluded: 'Пользователи этого бота больше не увидят заказ.',
    included: 'Пользователи этого бота снова увидят заказ.',
  },
  statistics: {
    periods: { '7': '7 дней', '30': '30 дней' },
    knownOfSubscribers: html`Что мы знаем о последних подписчиках:`,
    caption: (p: { id: number; title: string; period: string; counted: string; reversed: string; spent: string }) =>
      lines(
        html`📊 <b>Заказ №${p.id}</b> «${p.title}», ${p.period}`,
        html`Подписались: <b>${p.counted}</b>, ушли раньше срока: <b>${p.reversed}</b>, потрачено: <b>${p.spent}</b>`,
      ),
    subscribers: 'Подписчики',
    counted: 'подписались',
    reversed: 'ушли раньше срока',
    spent: 'Потрачено, ₽',
    nothing: 'пока ничего',
  },
};
