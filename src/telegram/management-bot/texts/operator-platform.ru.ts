import { clip, html, lines } from '../../../core/html.ts';
import type { BroadcastStatus } from '../../../modules/broadcasts/index.ts';
import type { Words } from './words.ts';

export const operatorPlatformRu = {
  figures: {
    title: html`📊 <b>Показатели</b>`,
    block: (
      p: Words<
        | 'period'
        | 'subscriptions'
        | 'reversals'
        | 'turnover'
        | 'revenue'
        | 'margin'
        | 'payouts'
        | 'bots'
        | 'orders'
        | 'users'
      >,
    ) =>
      lines(
        html`<b>${p.period}</b>`,
        html`Подписок: ${p.subscriptions}, отмен: ${p.reversals}`,
        html`Оборот: ${p.turnover}, издателям: ${p.revenue}, площадке: ${p.margin}`,
        html`Выплачено: ${p.payouts}`,
        html`Ботов: ${p.bots}, заказов: ${p.orders}, пользователей: ${p.users}\n`,
      ),
    books: '⚖️ Проверить учёт',
    faults: (p: { count: string; faults: readonly string[] }) =>
      lines(
        html`⚠️ <b>Учёт не сходится</b>, ошибок: ${p.count}`,
        ...p.faults.map((fault) => html`• ${clip(fault, 200)}`),
      ),
  },

  broadcasts: {
    title: html`📢 <b>Рассылки</b>`,
    start: '➕ Новая рассылка',
    line: (p: { id: number; status: string; text: string }) => `№${p.id} · ${p.status} · ${clip(p.text, 24)}`,
    statuses: { sending: 'идёт', finished: 'завершена', stopped: 'остановлена' } as Record<BroadcastStatus, string>,
    askRu: (p: { most: string }) =>
      html`📢 <b>Новая рассылка</b>\n\nНапишите текст по-русски, до ${p.most} символов. Его получат все, кто говорит с ботом по-русски.`,
    askEn: (p: { most: string }) => html`📢 Теперь тот же текст по-английски, до ${p.most} символов.`,
    same: 'Тот же текст',
    preview: (p: { ru: string; en: string }) =>
      lines(html`📢 <b>Отправить всем?</b>\n`, html`<b>RU</b>`, html`${p.ru}\n`, html`<b>EN</b>`, html`${p.en}`),
    page: (p: Words<'status' | 'created' | 'bar' | 'done' | 'total' | 'sent' | 'failed' | 'text'> & { id: number }) =>
      lines(
        html`📢 <b>Рассылка №${p.id}</b> · ${p.status}`,
        html`Создана: ${p.created}`,
        html`${p.bar} ${p.done} из ${p.total}`,
        html`Доставлено: <b>${p.sent}</b>, не доставлено: <b>${p.failed}</b>\n`,
        html`${clip(p.text, 1000)}`,
      ),
    stop: '⏹ Остановить',
    stopped: 'Рассылка остановлена.',
    notSending: 'Рассылка уже не идёт.',
    list: '📢 К рассылкам',
  },

  checkers: {
    menu: '🤖 Проверяющие боты',
    title: (p: { hasAny: boolean }) =>
      lines(
        html`🤖 <b>Проверяющие боты</b>\n`,
        html`Каждый проверяет каналы, в которых он администратор, и у каждого свои 25 проверок в секунду. Мастер заказа называет наименее занятого.`,
        p.hasAny ? undefined : html`\nПока таких нет: все каналы проверяет этот бот.`,
      ),
    line: (p: { username: string; state: string; channels: string }) =>
      `@${clip(p.username, 32)} · ${p.state} · ${p.channels}`,
    add: '➕ Добавить бота',
    ask: html`🤖 <b>Новый проверяющий бот</b>\n\nСоздайте в @BotFather бота, которым не пользуется другая программа, и пришлите его токен. Сообщение я сразу удалю, токен храню зашифрованным.`,
    page: (p: { username: string; state: string; what: string; added: string; channels: string; checks: string }) =>
      lines(
        html`🤖 <b>@${p.username}</b> · ${p.state}\n`,
        html`${p.what}\n`,
        html`Каналов с открытыми заказами: <b>${p.channels}</b>`,
        html`Подписок к проверке: <b>${p.checks}</b>`,
        html`Добавлен: ${p.added}`,
      ),
    remove: '🗑 Удалить',
    list: '🤖 К проверяющим ботам',
  },

  log: {
    title: html`📜 <b>Журнал решений</b>`,
    line: (p: { at: string; operatorId: number; action: string; subject: string; id: number; details: string }) =>
      lines(
        html`${p.at} · ${p.operatorId}`,
        html`<b>${p.action}</b>: ${p.subject} №${p.id}${p.details === '' ? '' : ` · ${clip(p.details, 150)}`}\n`,
      ),
  },
};
