import { clip, html, lines } from '../../../core/html.ts';
import type { operatorMoneyRu } from './operator-money.ru.ts';

const short = (text: string): string => clip(text, 300);

export const operatorMoneyEn: typeof operatorMoneyRu = {
  payouts: {
    title: html`💸 <b>Payouts</b>\n\nThe oldest first.`,
    empty: html`💸 No payout waits.`,
    line: (p) => `${p.isApproved ? '👍' : '🕓'} No. ${p.id} · ${p.amount}`,
    page: (p) =>
      lines(
        html`💸 <b>Payout ${p.id}</b> · ${p.status}`,
        html`Amount: <b>${p.amount}</b>`,
        html`Owner: ${p.owner}`,
        html`Method: ${p.method}`,
        html`Recipient: <code>${p.destination}</code>`,
        html`Requested: ${p.created}`,
        p.error === null ? undefined : html`Last error: ${short(p.error)}`,
        p.reason === null ? undefined : html`Reason: ${short(p.reason)}`,
        p.reference === null ? undefined : html`Reference: <code>${short(p.reference)}</code>`,
      ),
    approve: '👍 Approve',
    reject: '🚫 Reject',
    markSent: '✅ Sent',
    queue: '💸 To the queue',
  },

  deposits: {
    title: html`💳 <b>Requests to deposit</b>\n\nThe oldest first.`,
    empty: html`💳 There are no deposit requests.`,
    line: (p) => `No. ${p.id} · account ${p.accountId} · ${p.amount}`,
    page: (p) =>
      lines(
        html`💳 <b>Request to deposit ${p.id}</b> · ${p.status}`,
        html`Amount: <b>${p.amount}</b>`,
        html`Owner: ${p.owner}`,
        html`Created: ${p.created}\n`,
        html`Credit only money that has really arrived.`,
      ),
    credit: (p) => `💰 Credit ${p.amount}`,
    otherAmount: '✏️ Another amount',
    decline: '🚫 Close without money',
    declined: 'The request is closed.',
    note: (p) => `request to deposit ${p.id}`,
    queue: '💳 To the requests',
  },

  credit: {
    askAmount: (p) =>
      html`💰 <b>Credit account ${p.accountId}</b>\n\nHow much has arrived? Write the amount in rubles.`,
    askNote: html`📝 What is the money for? Write a note: the number of the payment, who it came from. Only operators see it.`,
    summary: (p) =>
      lines(
        html`💰 <b>Credit this?</b>\n`,
        html`Account <b>${p.accountId}</b> (${clip(p.name, 64)})`,
        html`Amount: <b>${p.amount}</b>`,
        html`Note: ${short(p.note)}`,
      ),
    requestClosed: 'This request was answered already.',
  },
};
