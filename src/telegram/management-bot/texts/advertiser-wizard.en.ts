import { html, lines } from '../../../core/html.ts';
import type { wizardRu } from './advertiser-wizard.ru.ts';

/** The questions of a new order. */
export const wizardEn: typeof wizardRu = {
  header: (p) => html`➕ <b>New order</b> · step ${p.number} of ${p.total}`,
  keep: 'Keep it as it is ➡️',
  startOver: html`You have an unfinished order. Continue it, or start over? Starting over drops the draft.`,
  continueDraft: '✏️ Continue',
  dropDraft: '🗑 Start over',
  kind: {
    ask: html`What do you want to advertise?`,
    channel: '📢 Channel or group',
    bot: '🤖 Bot',
  },
  chat: {
    ask: (p) =>
      lines(
        html`Add @${p.bot} as an <b>administrator</b> to the channel or group: that is how I see who subscribed. I go on by myself as soon as you have.\n`,
        html`Which rights? For a public channel any will do. For a private one I need “Add subscribers”, to make an invite link.\n`,
        p.hasKnown
          ? html`Added me already? Choose the channel below, or send its @name or link.`
          : html`Added me already? Send its @name or link.`,
      ),
    addToChannel: '➕ To a channel',
    addToGroup: '➕ To a group',
    pick: '🔐 Choose from my chats',
    askPick: lines(
      html`Press a button below the input field and choose a channel or a group. Telegram makes me an administrator there.\n`,
      html`This also works for private chats, and for groups of which you are an anonymous administrator. The chat has to be yours: I ask Telegram whether you are an administrator of it.`,
    ),
    askPickChecker: (p) =>
      lines(
        html`First make @${p.bot} an administrator of the chat. Then press a button below the input field and choose the chat.\n`,
        html`This also works for private chats, and for groups of which you are an anonymous administrator. The chat has to be yours: I ask Telegram whether you are an administrator of it.`,
      ),
    pickChannel: '📢 Choose a channel',
    pickGroup: '👥 Choose a group',
  },
  link: {
    ask: (p) =>
      lines(
        html`“<b>${p.title}</b>” is private, and I have no right to invite.\n`,
        html`Give me the right “Add subscribers” and I go on by myself. If nothing happens, write “ready” here. I create the link myself, because I cannot see where another link leads.`,
      ),
  },
  bot: {
    askCheck: lines(
      html`How do we check that a user has started the bot?\n`,
      html`🔑 <b>By its token</b>: I check it myself, at once. The token is kept encrypted and used for nothing else.`,
      html`🔌 <b>External check</b>: no token needed. The link carries a click id <code>?start=…</code>, and your server confirms the user with a signed request (postback). It has 72 hours to answer.`,
    ),
    token: '🔑 By its token',
    external: '🔌 External check',
    askToken: lines(
      html`Send the bot’s token from @BotFather. It looks like this: <code>123456789:AAH…</code>\n`,
      html`I delete the message with the token at once.`,
    ),
    askExternal: lines(
      html`Send the bot’s name: @name_bot, or a link.\n`,
      html`The postback address and the secret to sign with will be on the order’s page.`,
    ),
  },
  title: {
    ask: (p) =>
      lines(
        html`What is the title of the task? Users see it.\n`,
        p.found === '' ? html`Write a title.` : html`Write your own, or keep “<b>${p.found}</b>”.`,
      ),
    keep: (p) => `Keep “${p.found}”`,
  },
  price: {
    ask: (p) =>
      lines(
        html`What do you pay for one subscription? Write an amount in rubles, for example 4.50.\n`,
        html`The publisher whose bot shows your order gets ${p.share} of this price. The higher it is, the more often your order is shown.`,
      ),
  },
  quantity: {
    ask: (p) =>
      lines(
        html`The price is <b>${p.price}</b>, of which the publisher gets <b>${p.reward}</b>.\n`,
        html`How many subscribers do you need?`,
      ),
  },
  limit: {
    ask: html`How many subscribers a day at most? Write a number or choose one. The day begins at midnight in Moscow.`,
    none: 'No limit',
  },
  pace: {
    ask: (p) =>
      html`How do the <b>${p.limit}</b> subscribers of a day come: evenly over the hours, or as fast as possible?`,
    evenly: '📈 Evenly',
    asap: '⚡️ As fast as possible',
  },
  hours: {
    ask: html`At which hours is the order shown (Moscow time)? Choose, or write for example: 9-21, 22-6 or 9-13, 18-22.`,
  },
  hold: {
    ask: (p) =>
      lines(
        p.isNone
          ? html`⏳ <b>No hold.</b> The publisher gets the reward right after the subscription.`
          : html`⏳ <b>Hold: ${p.hold}.</b> The publisher gets the reward after this time.`,
        html`Choose, or write a number of hours from 0 to 720.\n`,
        p.refund
          ? html`↩️ <b>Refund is on.</b> When a subscriber leaves too early, the money and the slot return to the order.`
          : html`↩️ <b>Refund is off.</b> When a subscriber leaves too early, the money does not return to the order.`,
      ),
    refund: 'Refund for those who leave',
  },
  summary: {
    what: (p) => lines(html`Please check the order:`, html``, html`📣 <b>${p.title}</b>`, html`🔗 ${p.link}`),
    price: (p) =>
      lines(
        html`💵 Price: <b>${p.price}</b>, with filters: <b>${p.charge}</b>, to the publisher: ${p.reward}`,
        html`🎯 Subscribers: <b>${p.count}</b>`,
      ),
    total: (p) => lines(html`🧾 The whole order: <b>${p.total}</b>`, html`💰 Your balance: <b>${p.balance}</b>`),
    missing: (p) => html`⚠️ <b>${p.missing}</b> is missing. Top up your balance: the draft waits for you.`,
    moderated: html`🕓 An operator checks the order first. The money of a rejected order is returned.`,
    noOperators: html`⚠️ No operators are set up: the order would wait, because no one can approve it.`,
    create: (p) => `✅ Create for ${p.total}`,
    deposit: '💰 Top up the balance',
    created: 'The order is created.',
  },
  change: {
    kind: '✏️ Resource',
    title: '✏️ Title',
    price: '✏️ Price',
    quantity: '✏️ Number',
    limit: '✏️ Limit',
    hours: '✏️ Hours',
    hold: '✏️ Hold',
    users: '👥 Audience',
  },
};
