import { clip, html, lines } from '../../../core/html.ts';
import type { operatorRiskRu } from './operator-risk.ru.ts';

export const operatorRiskEn: typeof operatorRiskRu = {
  review: (p) =>
    lines(
      html`🔎 <b>Where the money comes from</b> (${p.days} days)`,
      html`Balance now: <b>${p.balance}</b>`,
      html`Not settled yet: <b>${p.unsettled}</b>${p.unsettledShare === undefined ? '' : ` (${p.unsettledShare} of the rewards)`}`,
      html`Subscriptions: <b>${p.counted}</b>${p.reversalShare === undefined ? '' : `, ${p.reversalShare} of them reversed`}`,
      p.counterparties.length === 0
        ? html`Advertisers: none`
        : html`Advertisers: ${p.advertisers}. Those who paid most:`,
      ...p.counterparties.map(
        (one) =>
          html`• account ${one.accountId}, ${clip(one.name, 40)}: <b>${one.amount}</b> (${one.share}, ${one.count} subscriptions)${one.isConnected ? ' ⚠️ the same owner' : ''}`,
      ),
    ),
};
