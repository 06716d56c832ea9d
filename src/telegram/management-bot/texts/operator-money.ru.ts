import { clip, type Html, html, lines } from '../../../core/html.ts';
import type { Words } from './words.ts';

const short = (text: string): string => clip(text, 300);

export const operatorMoneyRu = {
  payouts: {
    title: html`💸 <b>Выплаты</b>\n\nСначала самые старые.`,
    empty: html`💸 Выплат в очереди нет.`,
    line: (p: { id: number; amount: string; isApproved: boolean }) =>
      `${p.isApproved ? '👍' : '🕓'} №${p.id} · ${p.amount}`,
    page: (
      p: Words<'amount' | 'method' | 'destination' | 'status' | 'created'> & {
        id: number;
        owner: Html;
        error: string | null;
        reason: string | null;
        reference: string | null;
      },
    ) =>
      lines(
        html`💸 <b>Выплата №${p.id}</b> · ${p.status}`,
        html`Сумма: <b>${p.amount}</b>`,
        html`Владелец: ${p.owner}`,
        html`Способ: ${p.method}`,
        html`Получатель: <code>${p.destination}</code>`,
        html`Запрошена: ${p.created}`,
        p.error === null ? undefined : html`Последняя ошибка: ${short(p.error)}`,
        p.reason === null ? undefined : html`Причина: ${short(p.reason)}`,
        p.reference === null ? undefined : html`Подтверждение: <code>${short(p.reference)}</code>`,
      ),
    approve: '👍 Одобрить',
    reject: '🚫 Отклонить',
    markSent: '✅ Отправлено',
    queue: '💸 К очереди',
  },

  deposits: {
    title: html`💳 <b>Заявки на пополнение</b>\n\nСначала самые старые.`,
    empty: html`💳 Заявок на пополнение нет.`,
    line: (p: { id: number; accountId: number; amount: string }) => `№${p.id} · аккаунт №${p.accountId} · ${p.amount}`,
    page: (p: { id: number; amount: string; status: string; owner: Html; created: string }) =>
      lines(
        html`💳 <b>Заявка на пополнение №${p.id}</b> · ${p.status}`,
        html`Сумма: <b>${p.amount}</b>`,
        html`Владелец: ${p.owner}`,
        html`Создана: ${p.created}\n`,
        html`Зачисляйте только деньги, которые действительно пришли.`,
      ),
    credit: (p: { amount: string }) => `💰 Зачислить ${p.amount}`,
    otherAmount: '✏️ Другая сумма',
    decline: '🚫 Закрыть без оплаты',
    declined: 'Заявка закрыта.',
    note: (p: { id: number }) => `заявка на пополнение №${p.id}`,
    queue: '💳 К заявкам',
  },

  credit: {
    askAmount: (p: { accountId: number }) =>
      html`💰 <b>Зачисление на аккаунт №${p.accountId}</b>\n\nСколько денег пришло? Напишите сумму в рублях.`,
    askNote: html`📝 За что эти деньги? Напишите пояснение: номер платежа, от кого. Его увидят только операторы.`,
    summary: (p: { accountId: number; name: string; amount: string; note: string }) =>
      lines(
        html`💰 <b>Зачислить?</b>\n`,
        html`Аккаунт №<b>${p.accountId}</b> (${clip(p.name, 64)})`,
        html`Сумма: <b>${p.amount}</b>`,
        html`Пояснение: ${short(p.note)}`,
      ),
    requestClosed: 'На эту заявку уже ответили.',
  },
};
