import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { operatorRu } from './operator.ru.ts';
import { operatorCasesEn } from './operator-cases.en.ts';
import { operatorContestsEn } from './operator-contests.en.ts';
import { operatorMoneyEn } from './operator-money.en.ts';
import { operatorPlatformEn } from './operator-platform.en.ts';
import { operatorRiskEn } from './operator-risk.en.ts';

const short = (text: string): string => clip(text, 300);

export const operatorEn: typeof operatorRu = {
  overview: html`🛠 <b>Operator</b>\n\nThe buttons show how much waits for a decision.`,
  menu: {
    moderation: (p) => `🧾 Moderation: ${p.count}`,
    payouts: (p) => `💸 Payouts: ${p.count}`,
    deposits: (p) => `💳 Deposits: ${p.count}`,
    accounts: '👤 Accounts',
    beta: '🧪 Beta access',
    contests: (p) => `🏆 Contests: ${p.count}`,
    figures: '📊 Figures',
    broadcasts: '📢 Broadcasts',
    users: '🚫 Users',
    log: '📜 Log',
    cases: (p) => `🔎 Cases: ${p.count}`,
    operator: '🛠 Operator',
  },
  gone: 'That is no longer there.',

  moderation: {
    title: html`🧾 <b>Moderation</b>\n\nThe oldest first. Open an order to decide.`,
    empty: html`🧾 All orders are checked.`,
    find: html`To open any other order, write its number.`,
    notFound: 'There is no such order. Write its number, for example 15.',
    line: (p) => `No. ${p.id} · ${clip(p.title, 28)} · ${p.price}`,
    page: (p) =>
      lines(
        html`🧾 <b>Order ${p.id}</b> · ${p.status}`,
        p.reason === undefined ? undefined : html`Why it was rejected: ${short(p.reason)}`,
        html`Owner: ${p.owner}`,
        html`Created: ${p.created}\n`,
        html`Title: <b>${clip(p.title, 128)}</b>`,
        html`Name: ${clip(p.name, 128)}`,
        html`${p.type}: ${clip(p.link, 256)}`,
        p.chat === undefined
          ? undefined
          : html`In Telegram: “${clip(p.chat.title, 128)}”, ${p.chat.name ?? 'private'}, members: ${p.chat.members}, ID <code>${p.chat.id}</code>`,
        html`Price: <b>${p.price}</b>, with filters <b>${p.charge}</b> a subscriber`,
        html`Quantity: <b>${p.quantity}</b>, in all <b>${p.total}</b>`,
      ),
    types: { channel: 'Channel', bot: 'Bot' },
    noChat: html`In Telegram: nothing is known about the chat yet`,
    firstOrder: html`\n🆕 The owner’s first order for this resource.`,
    earlier: (p) =>
      html`\n🔁 The previous order for this resource: ${p.id}, ${p.status}. ${p.isSame ? 'Nothing has changed.' : 'What has changed:'}`,
    fields: {
      title: 'title',
      name: 'name',
      link: 'link',
      price: 'price',
      quantity: 'quantity',
      filters: 'audience',
    },
    runs: '▶️ Running orders',
    running: html`▶️ <b>Running orders</b>\n\nThe newest first. Open an order to stop it.`,
    noneRuns: html`▶️ No order is being shown now.`,
    approve: '✅ Approve',
    reject: '🚫 Reject',
    open: '🔗 Open the link',
    queue: '🧾 To the queue',
  },

  owner: (p) =>
    html`account ${p.accountId}, <a href="tg://user?id=${p.userId}">${clip(p.name, 64)}</a> (${p.userId})${p.isBanned ? ' ⛔️' : ''}`,
  toAccount: "👤 The owner's account",

  accounts: {
    title: html`👤 <b>Accounts</b>\n\nWrite the number of an account, a Telegram ID, or the @name of a bot. Below are the newest accounts.`,
    found: html`👤 <b>Found</b>`,
    line: (p) => `${p.isBanned ? '⛔️ ' : ''}No. ${p.id} · ${clip(p.name, 30)}`,
    page: (p) =>
      lines(
        html`👤 <b>Account ${p.id}</b>`,
        html`<a href="tg://user?id=${p.userId}">${clip(p.name, 64)}</a>, Telegram ID <code>${p.userId}</code>`,
        html`Opened: ${p.created}`,
        p.ban === undefined ? undefined : html`⛔️ Banned ${p.ban.at}: ${short(p.ban.reason)}`,
        EMPTY_LINE,
        html`Available: <b>${p.available}</b>, in hold: <b>${p.hold}</b>, can be withdrawn: <b>${p.withdrawable}</b>`,
        p.bots.length === 0
          ? html`Bots: none`
          : html`Bots: ${p.bots.map((name) => `@${name}`).join(', ')}${p.moreBots > 0 ? ` and ${p.moreBots} more` : ''}`,
        p.orders.length === 0
          ? html`Orders: none`
          : html`Orders: ${p.orders.map(({ status, count }) => `${status} ${count}`).join(', ')}`,
      ),
    credit: '💰 Credit money',
    ban: '⛔️ Ban',
    unban: '✅ Lift the ban',
    list: '👤 To the accounts',
  },

  beta: {
    ask: html`🧪 <b>Beta access</b>\n\nWrite the @name of a bot.`,
    notFound: 'There is no such bot. Write its name, for example @my_bot.',
    page: (p) =>
      lines(
        html`🧪 <b>@${p.username}</b>${p.isActive ? '' : ' · switched off'}`,
        html`Owner: ${p.owner}\n`,
        p.tokens.length === 0 ? html`No tokens.` : html`Tokens, newest first:`,
        ...p.tokens.map(
          ({ fingerprint, created, isBeta, until }) =>
            html`<code>${fingerprint}</code> of ${created}${isBeta ? ' · beta' : ''}${until === undefined ? '' : ` · until ${until}`}`,
        ),
      ),
    grant: '✅ Grant access',
    revoke: '🚫 Revoke access',
    granted: 'Beta access is granted.',
    revoked: 'Beta access is revoked.',
    noTokens: 'The bot has no valid token: its owner must make one.',
    other: '🧪 Another bot',
  },

  users: {
    ask: html`🚫 <b>Users</b>\n\nWrite the Telegram ID of a user. A banned user gets no tasks, and their subscriptions do not count.`,
    wrongId: 'That must be a Telegram ID: digits only, for example 123456789.',
    page: (p) =>
      lines(
        html`👤 User <code>${p.id}</code>`,
        p.ban === undefined ? html`Not banned.` : html`⛔️ Banned ${p.ban.at}: ${short(p.ban.reason)}`,
      ),
    ban: '⛔️ Ban',
    unban: '✅ Lift the ban',
    banned: 'The user is banned.',
    unbanned: 'The ban is lifted.',
    other: '🚫 Another user',
  },

  confirm: {
    approve: (p) => html`👍 Approve payout ${p.id} of <b>${p.about}</b>?`,
    decline: (p) => html`🚫 Close request ${p.id} to deposit <b>${p.about}</b> without money?`,
    unban: (p) => html`✅ Lift the ban of account ${p.id} (${short(p.about)})?`,
    prizes: (p) => html`✅ Approve the results of contest ${p.id} “${short(p.about)}” and pay the prizes?`,
    unuser: (p) => html`✅ Lift the ban of user ${p.about}?`,
    unfreeze: (p) => html`🔓 Release the withdrawals of account ${p.id} (${short(p.about)})?`,
    unfreezepay: (p) => html`🔓 Release payout ${p.id} of <b>${p.about}</b>?`,
    resume: (p) => html`▶️ Lift the stop of order ${p.id} “${short(p.about)}”?`,
    cancel: (p) => html`🚫 Cancel contest ${p.id} “${short(p.about)}”? No prizes will be paid.`,
    stop: (p) => html`⏹ Stop broadcast ${p.id}? Those who have not got it yet (${p.about}) will not get it.`,
    qrestore: (p) => html`↩️ Apply the computed quality level of @${short(p.about)} again?`,
    beta: (p) => html`🚫 Revoke the beta access of @${p.about}?`,
    checker: (p) =>
      html`🗑 Remove checker bot @${p.about}? Its channels go to other bots where those are administrators; the other orders pause.`,
  },
  reason: {
    ask: {
      order: html`🚫 <b>Why is the order rejected?</b>\n\nWrite the reason; the owner will see it.`,
      payout: html`🚫 <b>Why is the payout rejected?</b>\n\nWrite the reason; the owner will see it.`,
      sent: html`✅ <b>What proves that it was sent?</b>\n\nWrite the number of the transfer or receipt; the owner will see it.`,
      account: html`⛔️ <b>Why is the account banned?</b>\n\nThe tokens of its bots will stop working, its orders pause, payouts are closed to it. Write the reason; only operators see it.`,
      freeze: html`🧊 <b>Why are withdrawals frozen?</b>\n\nNo payout of the account can be requested, approved or sent. Everything else goes on. Only operators see the reason.`,
      freezepay: html`🧊 <b>Why is the payout frozen?</b>\n\nIt cannot be approved or sent. Only operators see the reason.`,
      credit: html`↩️ <b>Why is the credit a mistake?</b>\n\nA counter-entry takes the amount back, once. Money that is spent already leaves a debt. Only operators see the reason.`,
      pause: html`⏸ <b>Why is the order stopped?</b>\n\nIt will not be shown, and its owner cannot resume it. Only operators see the reason.`,
      cclear: html`✅ <b>Why is the case closed?</b>\n\nA freeze that came from it is lifted. Write the reason; the owner will see it.`,
      chold: html`🧊 <b>Why are withdrawals frozen?</b>\n\nThe case stays in the queue. Write the reason; the owner will see it.`,
      crev: html`↩️ <b>Why are the subscriptions reversed?</b>\n\nRewards in hold go back; after the hold they become a debt. This cannot be undone. Write the reason; the owner will see it.`,
      cban: html`⛔️ <b>Why is the account banned?</b>\n\nThe tokens of its bots stop working, its orders pause. Write the reason; the owner will see it.`,
      qgood: html`👍 <b>Why is the quality good?</b>\n\nThe level replaces the computed one until you restore it. Only operators see the reason.`,
      qwatched: html`👀 <b>Why is the bot watched?</b>\n\nThe level replaces the computed one until you restore it. Only operators see the reason.`,
      qlow: html`👎 <b>Why is the quality low?</b>\n\nThe level replaces the computed one until you restore it. Only operators see the reason.`,
      user: html`⛔️ <b>Why is the user banned?</b>\n\nWrite the reason; only operators see it.`,
    },
    confirm: {
      order: (p) => html`🚫 Reject order ${p.id}?\n\nReason: ${p.text}`,
      payout: (p) => html`🚫 Reject payout ${p.id}?\n\nReason: ${p.text}`,
      sent: (p) => html`✅ Was payout ${p.id} sent?\n\nReference: ${p.text}`,
      account: (p) => html`⛔️ Ban account ${p.id}?\n\nReason: ${p.text}`,
      freeze: (p) => html`🧊 Freeze withdrawals of account ${p.id}?\n\nReason: ${p.text}`,
      freezepay: (p) => html`🧊 Freeze payout ${p.id}?\n\nReason: ${p.text}`,
      credit: (p) => html`↩️ Take this credit back?\n\nReason: ${p.text}`,
      pause: (p) => html`⏸ Stop order ${p.id}?\n\nReason: ${p.text}`,
      cclear: (p) => html`✅ Close case ${p.id} without consequences?\n\nReason: ${p.text}`,
      chold: (p) => html`🧊 Freeze withdrawals for case ${p.id}?\n\nReason: ${p.text}`,
      crev: (p) => html`↩️ Reverse the subscriptions of case ${p.id}?\n\nReason: ${p.text}`,
      cban: (p) => html`⛔️ Ban the account of case ${p.id}?\n\nReason: ${p.text}`,
      qgood: (p) => html`👍 Set the quality of bot ${p.id} to good?\n\nReason: ${p.text}`,
      qwatched: (p) => html`👀 Set the quality of bot ${p.id} to watched?\n\nReason: ${p.text}`,
      qlow: (p) => html`👎 Set the quality of bot ${p.id} to low?\n\nReason: ${p.text}`,
      user: (p) => html`⛔️ Ban user ${p.id}?\n\nReason: ${p.text}`,
    },
  },

  ...operatorMoneyEn,
  ...operatorPlatformEn,
  ...operatorRiskEn,
  cases: operatorCasesEn,
  contests: operatorContestsEn,
};
