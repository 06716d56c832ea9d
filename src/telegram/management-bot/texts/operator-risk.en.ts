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

  debtors: {
    menu: '📉 Debtors',
    title: html`📉 <b>Debtors</b>\n\nAccounts with a negative balance, the largest debts first. Later rewards pay a debt first.`,
    line: (p) =>
      html`${p.isBanned ? '⛔️ ' : ''}No. ${p.accountId}, ${clip(p.name, 40)}: owes <b>${p.debt}</b>, ${p.hold} in hold`,
    open: (p) => `👤 Account ${p.accountId}`,
  },

  freeze: {
    account: '🧊 Freeze withdrawals',
    liftAccount: '🔓 Release withdrawals',
    payout: '🧊 Freeze',
    liftPayout: '🔓 Release',
  },

  stop: {
    pause: '⏸ Stop the order',
    resume: '▶️ Resume the order',
  },

  debit: {
    button: '➖ Debit money',
    askAmount: (p) =>
      html`➖ <b>Debit account ${p.accountId}</b>\n\nHow much? Write the amount in rubles. More than the account has leaves a debt.`,
    askNote: html`📝 Why is it debited? Write the reason; only operators see it.`,
    summary: (p) =>
      lines(
        html`➖ <b>Debit this?</b>`,
        html`Account <b>${p.accountId}</b> (${clip(p.name, 64)})`,
        html`Amount: <b>${p.amount}</b>`,
        html`Reason: ${clip(p.note, 300)}`,
      ),
  },

  correct: {
    button: '↩️ Correct a credit',
    choose: html`↩️ Which credit is a mistake?`,
    none: html`↩️ No operator has credited this account.`,
    done: 'A counter-entry took the credit back.',
  },

  reverse: {
    button: '↩️ Reverse subscriptions',
    askPeriod: {
      order: (p) => html`↩️ <b>Reverse subscriptions of order ${p.id}</b>\n\nOf which time?`,
      bot: (p) => html`↩️ <b>Reverse subscriptions of bot ${p.id}</b>\n\nOf which time?`,
    },
    periods: { 1: 'A day', 7: 'A week', 30: '30 days', 365: 'All time' },
    preview: (p) =>
      lines(
        html`↩️ <b>What will be reversed</b>`,
        html`Subscriptions since ${p.from}: <b>${p.count}</b>, publishers: ${p.publishers}`,
        html`Publishers lose <b>${p.reward}</b>, of which <b>${p.settled}</b> is settled: what was withdrawn leaves a debt.`,
        html`Orders get <b>${p.returned}</b> back.`,
        p.most === undefined ? undefined : html`${p.most}`,
        html`Write the reason; only operators see it.`,
      ),
    confirm: (p) =>
      html`↩️ Reverse <b>${p.count}</b> subscriptions worth <b>${p.reward}</b>?\n\nReason: ${clip(p.reason, 300)}`,
  },
};
