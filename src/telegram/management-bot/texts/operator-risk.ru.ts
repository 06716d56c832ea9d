import { clip, type Html, html, lines } from '../../../core/html.ts';

/** Откуда деньги: что оператор видит перед выплатой. */
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
          html`• счёт №${one.accountId}, ${clip(one.name, 40)}: <b>${one.amount}</b> (${one.share}, подписок ${one.count})${one.isConnected ? ' ⚠️ тот же владелец' : ''}`,
      ),
    ),
};
