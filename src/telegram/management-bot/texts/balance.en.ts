import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { balanceRu } from './balance.ru.ts';

const short = (text: string): string => clip(text, 120);

export const balanceEn: typeof balanceRu = {
  overview: (p) =>
    lines(
      html`💰 <b>Balance</b>\n`,
      html`Available: <b>${p.available}</b>`,
      html`In hold: <b>${p.hold}</b>`,
      p.unsettled === undefined
        ? undefined
        : html`You can withdraw: <b>${p.withdrawable}</b>. Another <b>${p.unsettled}</b> settles a day after its subscriptions, if the subscribers stay.`,
      p.debt === undefined
        ? undefined
        : html`⚠️ Debt: <b>${p.debt}</b>. Your next earnings pay it off, then you can withdraw again.`,
      ...(p.releases.length === 0 ? [] : [EMPTY_LINE, html`⏳ Leaves hold, if the subscribers stay:`]),
      ...p.releases.map(
        ({ at, isUntil, amount, count }) =>
          html`• ${isUntil ? 'by ' : ''}${at}: <b>${amount}</b> (subscriptions: ${count})`,
      ),
      p.later === undefined ? undefined : html`• later: <b>${p.later}</b>`,
    ),
  history: '📜 History',
  withdraw: '📤 Withdraw',
  payouts: '🧾 Payouts',
  deposit: '📥 Deposit',
  toBalance: '💰 Balance',

  historyTitle: html`📜 <b>History of your money</b>`,
  inHold: ' (hold)',

  tooLittle: (p) =>
    lines(
      html`📤 <b>Withdraw money</b>\n`,
      html`You can withdraw <b>${p.withdrawable}</b>, and the smallest payout is <b>${p.minimum}</b>.`,
      html`A reward settles a day after the subscription, or when its hold ends if that is later. Until then it cannot be withdrawn.`,
    ),
  chooseMethod: html`📤 <b>Withdraw money</b>\n\nWhere shall the money go?`,
  askAmount: (p) =>
    lines(
      html`📤 <b>How much shall we send?</b>\n`,
      html`You can withdraw <b>${p.withdrawable}</b>, at least <b>${p.minimum}</b>.`,
      html`Write the amount in rubles.`,
    ),
  all: (p) => `All of it: ${p.amount}`,
  askDestination: {
    manual: html`💳 <b>Where to?</b>\n\nWrite a card number, a phone number with the bank's name, or the address of a wallet. An operator makes the transfer by hand.`,
    'crypto-pay': html`💎 <b>To whose Crypto Bot?</b>\n\nThe money arrives in @CryptoBot. Usually that is your own; for another one write its Telegram ID. The recipient must have started @CryptoBot at least once.`,
  },
  toMyself: (p) => `To myself (${p.id})`,
  wrongDestination: {
    manual: 'Please write one line of at most 256 characters that tells where to send the money.',
    'crypto-pay': 'That must be a Telegram ID: digits only, for example 123456789.',
  },
  payoutSummary: (p) =>
    lines(
      html`📤 <b>Please check</b>\n`,
      html`Amount: <b>${p.amount}</b>`,
      html`Method: ${p.method}`,
      html`Recipient: <code>${p.destination}</code>\n`,
      html`The money leaves your balance at once and returns if the payout does not go out. Send the request?`,
    ),
  noOperators: html`⚠️ No operators are set up: a payout would wait, because no one can approve it.`,
  requested: (p) =>
    lines(
      html`✅ Payout <b>${p.id}</b> is requested: <b>${p.amount}</b>.`,
      html`An operator will check it, and you will get a notice about the result.`,
    ),

  payoutsTitle: html`🧾 <b>Payouts</b>`,
  payoutLine: (p) =>
    lines(
      html`No. ${p.id} · <b>${p.amount}</b> · ${p.at}`,
      html`${p.status}`,
      p.reason === null ? undefined : html`Reason: ${short(p.reason)}`,
      p.reference === null ? undefined : html`Reference: <code>${short(p.reference)}</code>`,
      EMPTY_LINE,
    ),

  askDeposit: {
    play: html`📥 <b>How much shall we add?</b>\n\nThis is a sandbox: it is play money and arrives at once. Write the amount in rubles.`,
    crypto: html`📥 <b>How much shall we add?</b>\n\nYou pay with cryptocurrency through @CryptoBot. Write the amount in rubles, and you get an invoice.`,
    operator: html`📥 <b>How much shall we add?</b>\n\nWrite the amount in rubles. An operator will tell you how to pay and credit the money.`,
  },
  confirmDeposit: (p) => html`📥 Send an operator the request to deposit <b>${p.amount}</b>?`,
  otherWay: { play: '🎲 Play money', crypto: '💎 Through Crypto Bot', operator: '👤 Through an operator' },
  noWay: html`📥 Money cannot be taken right now: payments are not set up yet. Please come back later.`,
  deposited: (p) =>
    lines(html`✅ <b>${p.amount}</b> was added to your balance.`, html`Available: <b>${p.available}</b>.`),
  invoice: (p) =>
    lines(
      html`💎 The invoice for <b>${p.amount}</b> is ready; it can be paid until ${p.until}.`,
      html`The money is credited by itself, usually within a minute.`,
    ),
  pay: (p) => `💳 Pay ${p.amount}`,
  check: '🔄 Check the payment',
  notPaidYet: 'The payment has not arrived yet.',
  invoiceExpired: 'This invoice has expired. Make a new one.',
  providerAway: 'Crypto Bot does not answer right now. Try again, or another way.',
  depositAsked: (p) =>
    lines(
      html`✅ Request <b>${p.id}</b> to deposit <b>${p.amount}</b> was sent to an operator.`,
      html`They will write to you how to pay. Your account number: <b>${p.accountId}</b>.`,
    ),
  tooManyOpen: (p) => `You have ${p.most} open requests already. Please wait until an operator answers.`,

  contestsTitle: html`🏆 <b>Contests</b>\n\nThe winner earns most from subscriptions settled while the contest runs. Cheap orders, orders with an outside check and your own orders do not count.`,
  noContests: html`🏆 There have been no contests yet. Come back later!`,
  contestButton: (p) => `${clip(p.name, 30)} · ${p.status}${p.rank === null ? '' : ` · place ${p.rank}`}`,
  contest: (p) =>
    lines(
      html`🏆 <b>${p.name}</b> · ${p.status}`,
      html`${p.from} – ${p.until} (Moscow time)`,
      p.left === undefined ? undefined : html`⏱ Time left: <b>${p.left}</b>`,
      html`Participants: ${p.participants}\n`,
      p.own === undefined
        ? html`You have no counted subscriptions yet.`
        : html`Your place: <b>${p.own.rank}</b>, subscriptions: <b>${p.own.score}</b>, worth <b>${p.own.revenue}</b>`,
      p.prize === undefined ? undefined : html`Your prize: <b>${p.prize}</b>`,
      EMPTY_LINE,
      html`🎁 Prizes:`,
      ...p.prizes.map(({ place, amount }) => html`Place ${place}: ${amount}`),
      p.morePrizes === 0 ? undefined : html`and more places with prizes: ${p.morePrizes}`,
      ...(p.leaders.length === 0 ? [] : [EMPTY_LINE, html`Leaders:`]),
      ...p.leaders.map(
        ({ rank, accountId, score, isMe }) => html`${rank}. account ${accountId}${isMe ? ' (you)' : ''}: ${score}`,
      ),
    ),
  left: (p) =>
    p.days > 0 ? `${p.days} d ${p.hours} h` : p.hours > 0 ? `${p.hours} h ${p.minutes} min` : `${p.minutes} min`,

  toOperators: {
    payout: (p) => html`💸 Payout <b>${p.id}</b> waits: <b>${p.amount}</b>, account ${p.accountId} (${short(p.name)}).`,
    deposit: (p) =>
      lines(
        html`💳 Account <b>${p.accountId}</b> asks to deposit <b>${p.amount}</b> (request ${p.id}).`,
        html`Write to its owner: <a href="tg://user?id=${p.userId}">${short(p.name)}</a>`,
      ),
    open: 'Open the payout',
    credit: '💰 Credit',
  },
};
