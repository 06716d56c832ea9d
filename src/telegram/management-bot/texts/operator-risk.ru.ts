import { clip, type Html, html, lines } from '../../../core/html.ts';
import type { Words } from './words.ts';

/** The sources of an account's money, which an operator checks before a payout. */
export interface ReviewWords {
  readonly days: number;
  readonly balance: string;
  readonly unsettled: string;
  readonly unsettledShare: string | undefined;
  readonly counted: string;
  readonly reversalShare: string | undefined;
  readonly advertisers: string;
  readonly counterparties: readonly {
    readonly accountId: number;
    readonly name: string;
    readonly amount: string;
    readonly share: string;
    readonly count: string;
    readonly isConnected: boolean;
  }[];
}

export const operatorRiskRu = {
  review: (p: ReviewWords): Html =>
    lines(
      html`🔎 <b>Откуда деньги</b> (за ${p.days} дней)`,
      html`Баланс сейчас: <b>${p.balance}</b>`,
      html`Ещё не закреплено: <b>${p.unsettled}</b>${p.unsettledShare === undefined ? '' : ` (${p.unsettledShare} заработанного)`}`,
      html`Подписок: <b>${p.counted}</b>${p.reversalShare === undefined ? '' : `, из них отменено ${p.reversalShare}`}`,
      p.counterparties.length === 0
        ? html`Рекламодателей: нет`
        : html`Рекламодателей: ${p.advertisers}. Кто платил больше всех:`,
      ...p.counterparties.map(
        (one) =>
          html`• аккаунт №${one.accountId}, ${clip(one.name, 40)}: <b>${one.amount}</b> (${one.share}, подписок ${one.count})${one.isConnected ? ' ⚠️ тот же владелец' : ''}`,
      ),
    ),

  debtors: {
    menu: '📉 Должники',
    title: html`📉 <b>Должники</b>\n\nАккаунты с отрицательным балансом, большие долги сверху. Долг погашают следующие начисления.`,
    line: (p: { accountId: number; name: string; debt: string; hold: string; isBanned: boolean }): Html =>
      html`${p.isBanned ? '⛔️ ' : ''}№${p.accountId}, ${clip(p.name, 40)}: долг <b>${p.debt}</b>, в холде ${p.hold}`,
    open: (p: { accountId: number }) => `👤 Аккаунт №${p.accountId}`,
  },

  freeze: {
    account: '🧊 Заморозить вывод',
    liftAccount: '🔓 Разморозить вывод',
    payout: '🧊 Заморозить',
    liftPayout: '🔓 Разморозить',
  },

  stop: {
    pause: '⏸ Остановить заказ',
    resume: '▶️ Возобновить заказ',
  },

  debit: {
    button: '➖ Списать деньги',
    askAmount: (p: { accountId: number }): Html =>
      html`➖ <b>Списание с аккаунта №${p.accountId}</b>\n\nСколько списать? Напишите сумму в рублях. Если на аккаунте меньше, останется долг.`,
    askNote: html`📝 За что списываем? Напишите причину. Её видят только операторы.`,
    summary: (p: { accountId: number; name: string; amount: string; note: string }): Html =>
      lines(
        html`➖ <b>Списать?</b>`,
        html`Аккаунт №<b>${p.accountId}</b> (${clip(p.name, 64)})`,
        html`Сумма: <b>${p.amount}</b>`,
        html`Причина: ${clip(p.note, 300)}`,
      ),
  },

  correct: {
    button: '↩️ Исправить зачисление',
    choose: html`↩️ Какое зачисление ошибочно?`,
    none: html`↩️ Операторы ничего не зачисляли на этот аккаунт.`,
    done: 'Зачисление снято встречной записью.',
  },

  reverse: {
    button: '↩️ Отменить подписки',
    askPeriod: {
      order: (p: { id: number }): Html => html`↩️ <b>Отмена подписок заказа №${p.id}</b>\n\nЗа какое время?`,
      bot: (p: { id: number }): Html => html`↩️ <b>Отмена подписок бота №${p.id}</b>\n\nЗа какое время?`,
    },
    periods: { 1: 'Сутки', 7: 'Неделя', 30: '30 дней', 365: 'Всё время' },
    preview: (
      p: Words<'count' | 'from' | 'reward' | 'settled' | 'returned' | 'publishers'> & { most: string | undefined },
    ): Html =>
      lines(
        html`↩️ <b>Что будет отменено</b>`,
        html`Подписок с ${p.from}: <b>${p.count}</b>, издателей: ${p.publishers}`,
        html`Издатели потеряют <b>${p.reward}</b>, из них уже закреплено <b>${p.settled}</b>: если деньги выведены, останется долг.`,
        html`Заказам вернётся <b>${p.returned}</b>.`,
        p.most === undefined ? undefined : html`${p.most}`,
        html`Напишите причину, её видят только операторы.`,
      ),
    confirm: (p: { count: string; reward: string; reason: string }): Html =>
      html`↩️ Отменить подписок: <b>${p.count}</b> на <b>${p.reward}</b>?\n\nПричина: ${clip(p.reason, 300)}`,
  },
};
