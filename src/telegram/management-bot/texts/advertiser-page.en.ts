import { html, lines } from '../../../core/html.ts';
import type { orderPageRu } from './advertiser-page.ru.ts';

/** The page of an order and its actions. */
export const orderPageEn: typeof orderPageRu = {
  page: {
    title: (p) => lines(html`📣 <b>Order ${p.id}</b> “${p.title}”`, html`🔗 ${p.link}`),
    progress: (p) =>
      lines(
        html`🎯 Subscribers: <b>${p.counted}</b> of ${p.quantity}`,
        html`👀 In progress: ${p.reserved} · left too early: ${p.reversed}`,
        html`📈 Conversion: <b>${p.conversion}</b>`,
      ),
    money: (p) =>
      lines(
        html`💸 Spent: <b>${p.spent}</b> · remainder: <b>${p.remainder}</b>`,
        html`💵 Price: ${p.price}, with filters: <b>${p.charge}</b>, to the publisher: ${p.reward}`,
      ),
    limitToday: (p) => `${p.limit} (${p.today} today)`,
    reason: (p) => html`Reason: ${p.reason}`,
    postback: (p) =>
      lines(
        html``,
        html`🔌 <b>Postback.</b> POST JSON <code>{"click_id", "status": "approved" or "rejected", "signature"}</code>. The click id comes to the bot with <code>/start</code>; the signature is HMAC-SHA256 of <code>click_id:status</code> under the secret, in hex.`,
        html`Address: <code>${p.url}</code>`,
        html`Secret: <code>${p.secret}</code>`,
      ),
    copyUrl: '📋 Address',
    copySecret: '📋 Secret',
    open: '🔗 Open',
    users: '👥 Audience',
    usersApp: '🪟 All filters on one page',
    statistics: '📊 Statistics',
    sources: '📡 Sources',
    timetable: '🕘 Limit and hours',
    topUp: '➕ Top up',
    pause: '⏸ Pause',
    resume: '▶️ Resume',
    recheck: '🔄 Check the rights',
    thenRecheck: html`Then press “Check the rights”.`,
    cancel: '🛑 Cancel the order',
    stillLost: (p) =>
      `Not yet: @${p.bot} is not an administrator, or the bot’s token does not work. Fix it and press the button again.`,
    askCancel: (p) =>
      lines(
        html`Cancel order ${p.id}? There is no way back.\n`,
        html`<b>${p.refund}</b> returns to your balance at once.`,
        p.reserved === undefined
          ? undefined
          : html`Another <b>${p.reserved}</b> is reserved for users who are doing the task now: what is not needed returns a little later.`,
      ),
    cancelYes: '🛑 Yes, cancel it',
    askTopUp: (p) => html`How many subscribers do you want to add to order ${p.id}? One costs <b>${p.charge}</b>.`,
    confirmTopUp: (p) =>
      lines(
        html`Order ${p.id}: <b>${p.count}</b> more subscribers for <b>${p.cost}</b>.`,
        html`💰 Your balance: <b>${p.balance}</b>`,
      ),
    buy: (p) => `✅ Buy for ${p.cost}`,
    toppedUp: 'The order is topped up.',
  },
  timetable: {
    title: (p) =>
      lines(
        html`🕘 <b>Order ${p.id}: limit and hours</b>\n`,
        p.limit === undefined
          ? html`Daily limit: none`
          : html`Daily limit: <b>${p.limit}</b>, ${p.isEven ? 'evenly' : 'as fast as possible'}`,
        html`Hours: <b>${p.hours}</b> (Moscow time)`,
      ),
    limit: '📆 Limit',
    hours: '🕘 Hours',
    evenly: 'Evenly',
  },
  sources: {
    title: (p) =>
      lines(
        html`📡 <b>Order ${p.id}: sources</b>`,
        html`Which bots bring subscribers, and how many of those are still there after a day and after a week.`,
      ),
    none: html`No subscribers yet.`,
    tooEarly: 'too early to say',
    line: (p) =>
      lines(
        html`${p.isExcluded ? '🚫' : '🤖'} <b>@${p.username}</b>: ${p.counted} (${p.reversed} left too early), ${p.spent}`,
        html`   still there after a day: <b>${p.afterOneDay}</b>, after a week: <b>${p.afterSevenDays}</b>`,
        p.quality === undefined ? undefined : html`   quality: <b>${p.quality}</b>`,
      ),
    exclude: (p) => `🚫 Exclude @${p.username}`,
    include: (p) => `↩️ Include @${p.username}`,
    excluded: 'Users of this bot no longer see the order.',
    included: 'Users of this bot see the order again.',
  },
  statistics: {
    periods: { '7': '7 days', '30': '30 days' },
    knownOfSubscribers: html`What we know of the latest subscribers:`,
    caption: (p) =>
      lines(
        html`📊 <b>Order ${p.id}</b> “${p.title}”, ${p.period}`,
        html`Subscribed: <b>${p.counted}</b>, left too early: <b>${p.reversed}</b>, spent: <b>${p.spent}</b>`,
      ),
    subscribers: 'Subscribers',
    counted: 'subscribed',
    reversed: 'left too early',
    spent: 'Spent, ₽',
    nothing: 'nothing yet',
  },
};
