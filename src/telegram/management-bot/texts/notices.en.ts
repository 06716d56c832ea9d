import { clip, html, lines } from '../../../core/html.ts';
import type { noticesRu } from './notices.ru.ts';

const short = (text: string): string => clip(text, 200);

export const noticesEn: typeof noticesRu = {
  choose: html`🔔 What shall I tell you about? Press to switch it on or off.`,
  mute: '🔕 Do not tell me about this',
  muted: 'I will not tell you about this any more. Switch it on again under “Notices”.',
  open: {
    order: 'Open the order',
    bot: 'Open the bot',
    balance: 'Open the balance',
    contests: 'Open the contests',
    moderate: 'Check the order',
    webhook: 'Open the webhook',
    case: 'Open the case',
    decide: 'Open the case',
    checkers: 'Open the checker bots',
  },
  kinds: {
    subscriptions_reversed: 'Subscriptions taken back',
    order_paused: 'Order stopped: rights are gone',
    order_removals: 'Order stopped: subscribers are removed',
    order_low_approval: 'Order stopped: your side approves hardly anybody',
    order_completed: 'Order completed',
    order_approved: 'Order approved',
    order_rejected: 'Order rejected',
    chat_migrated: 'Group became a supergroup',
    order_link_changed: 'Link of an order replaced',
    payout_sent: 'Payout sent',
    payout_returned: 'Payout returned',
    balance_credited: 'Balance topped up',
    source_level: 'Quality of a bot changed',
    contest_result: 'Contest result',
    order_in_moderation: 'Order waits for moderation',
    webhook_disabled: 'Webhook disabled',
    case_opened: 'Account under review',
    case_decided: 'Decision about a review',
    case_waits: 'New case in the queue',
    case_answered: 'Answer of an owner to a case',
    checker_stopped: 'Checker bot stopped',
    checker_conflict: 'Checker bot used by another program',
  },
  subscriptionsReversed: (p) =>
    html`↩️ <b>${p.count}</b> ${p.plural(p.number, 'subscription was', 'subscriptions were', 'subscriptions were')} taken back in the last hour: the users left within a day. <b>${p.amount}</b> deducted.`,
  orderPaused: (p) => lines(html`⏸ Order ${p.order_id} “${short(p.title)}” is paused.`, html`${p.because}`),
  orderRemovals: (p) =>
    lines(
      html`⏸ Order ${p.order_id} “${short(p.title)}” is paused: administrators removed <b>${p.count}</b> counted ${p.plural(p.number, 'subscriber', 'subscribers', 'subscribers')}.`,
      html`Removed subscribers are not refunded.`,
    ),
  orderLowApproval: (p) =>
    lines(
      html`⏸ Order ${p.order_id} “${short(p.title)}” is paused: your side approved only <b>${p.percent} %</b> of its users.`,
      html`No answer within 72 hours counts as a refusal. Check your postback, then resume the order.`,
    ),
  orderCompleted: (p) =>
    html`🏁 Order ${p.order_id} “${short(p.name)}” is completed. Subscribers: <b>${p.subscribers}</b>, spent <b>${p.spent}</b>.`,
  orderApproved: (p) => html`✅ Order ${p.order_id} “${short(p.title)}” is approved and already being shown.`,
  orderRejected: (p) =>
    lines(
      html`🚫 Order ${p.order_id} “${short(p.title)}” is rejected: ${short(p.reason)}.`,
      html`The money is back on your balance.`,
    ),
  chatMigrated: (p) =>
    html`👥 The group of order ${p.order_id} “${short(p.title)}” became a supergroup. The order goes on there; nothing is left to do.`,
  orderLinkChanged: (p) =>
    html`🔗 The old link of order ${p.order_id} “${short(p.title)}” no longer leads into your chat. It now shows ${short(p.link)}`,
  payoutSent: (p) =>
    lines(
      html`💸 Payout ${p.payout_id} of <b>${p.amount}</b> was sent.`,
      p.reference === '' ? undefined : html`Proof: <code>${short(p.reference)}</code>`,
    ),
  payoutReturned: (p) =>
    html`↩️ Payout ${p.payout_id} did not go through: ${short(p.reason)}. <b>${p.amount}</b> is back on your balance.`,
  balanceCredited: (p) => html`💰 Your balance was topped up by <b>${p.amount}</b>.`,
  sourceLevel: (p) =>
    html`⭐️ The quality of @${p.username} is now: <b>${p.level}</b>. The page of the bot says why, what it changes and what would help.`,
  sourceUnscored: (p) =>
    html`⭐️ @${p.username} has no quality score now: it has too few recent subscriptions. The rules for new bots apply.`,
  contestResult: (p) =>
    lines(
      html`🏆 The contest “${short(p.name)}” is over. Your place: <b>${p.rank}</b>, subscriptions: ${p.score}.`,
      p.prize === undefined ? undefined : html`The prize of <b>${p.prize}</b> is on your balance.`,
    ),
  orderInModeration: (p) => html`🧾 Order ${p.order_id} “${short(p.title)}” waits for moderation.`,
  caseOpened: (p) =>
    lines(
      html`🔎 Case ${p.case_id} was opened: ${p.kind}.`,
      html`${p.why} Until it is decided, payouts wait for an operator. You may answer once.`,
    ),
  caseDecided: (p) =>
    lines(
      html`🔎 Case ${p.case_id} (${p.kind}): <b>${p.decision}</b>.`,
      html`Reason: ${short(p.reason)}`,
      p.canAnswer ? html`You may answer once.` : undefined,
    ),
  caseWaits: (p) => html`🔎 New case ${p.case_id}: ${p.kind}.`,
  caseAnswered: (p) => html`💬 The owner answered case ${p.case_id} (${p.kind}).`,
  webhookDisabled: (p) =>
    lines(
      html`🔌 Webhook ${p.webhook_id} is disabled: its address has failed for too long, or asked not to be sent to.`,
      html`<code>${short(p.url)}</code>`,
    ),
  checkerStopped: (p) =>
    html`🤖 Telegram refuses the token of checker bot @${p.username}. Other bots took over where they are administrators; the other orders pause. Get a new token from @BotFather and add the bot again.`,
  checkerConflict: (p) =>
    html`🤖 Another program receives the updates of checker bot @${p.username}. Stop that program, or give the bot a new token and add it again.`,
};
