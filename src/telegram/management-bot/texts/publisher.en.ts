import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { publisherRu } from './publisher.ru.ts';

export const publisherEn: typeof publisherRu = {
  list: {
    title: html`🤖 <b>My bots</b>`,
    some: html`Choose a bot, or add another.`,
    none: html`No bots yet. Add one, and its users begin to earn for you.`,
    add: '➕ Add a bot',
  },
  add: {
    explain: lines(
      html`➕ <b>A new bot</b>\n`,
      html`All we need is to see that the bot is yours. We will not control it and need no access to it. The bot asks for tasks by itself, through the API.\n`,
      html`🔑 <b>By token</b>: send the token from @BotFather. We ask Telegram once for the bot's name (<code>getMe</code>) and do not keep the token.`,
      html`↪️ <b>By forwarding</b>: add a code to the bot's name and forward us any message of it. No token needed.`,
    ),
    byToken: '🔑 By token',
    byForward: '↪️ By forwarding',
    askToken: lines(
      html`🔑 Send the bot's token from @BotFather. It looks like this:`,
      html`<code>123456789:AAExampleExampleExampleExampleExamp</code>\n`,
      html`We remove your message from the chat at once and do not keep the token.`,
    ),
    noToken: html`⚠️ There is no bot token in that message. Copy it whole from @BotFather and send it here.`,
    wrongToken: html`⚠️ Telegram does not accept that token. It may be revoked, or copied only in part. Send a valid one.`,
    away: html`⏳ Telegram does not answer right now, so the token could not be checked. Send it again a little later.`,
    askForward: (p) =>
      lines(
        html`↪️ <b>Proof by forwarding</b>\n`,
        html`1. For now, add the code <code>${p.code}</code> to the bot's name: @BotFather → /mybots → the bot → Edit Bot → Edit Name.`,
        html`2. Forward any message of that bot to this chat.\n`,
        html`Only its owner can change a bot's name, so the code there is proof enough. Afterwards change the name back.`,
      ),
    newCode: '🔄 Another code',
    notForwarded: html`⚠️ That message is not forwarded. Open the chat with your bot and forward any of its messages from there.`,
    notFromBot: html`⚠️ That message was not written by a bot. Forward one that the bot itself has sent.`,
    codeMissing: (p) =>
      html`⚠️ The bot @${p.username} is called “${p.name}” now, without the code. Add the code and forward a message again; a new name may take a moment to show.`,
    taken: (p) =>
      lines(
        html`🙅 The bot @${p.username} belongs to another account here.\n`,
        html`If it is yours, an operator can move it.`,
      ),
    added: html`✅ The bot is added. One step is left: get its API token.`,
    addedByName: html`✅ The bot is added, you may change its name back. One step is left: get its API token.`,
    alreadyYours: html`☝️ You have this bot already.`,
  },
  bot: {
    page: (p) =>
      lines(
        html`🤖 <b>@${p.username}</b>`,
        p.isActive ? html`🟢 On` : html`🔴 Off: requests with its token get 401`,
        EMPTY_LINE,
        html`📋 Tasks per round: <b>${p.maxSponsors}</b>`,
        html`⏱ Round length: <b>${p.round}</b>`,
        html`🧭 Profile collection: <b>${p.profiles}</b>`,
        html`🚫 Excluded: <b>${p.excluded}</b>\n`,
        html`👥 Subscribers: <b>${p.subscribers}</b>`,
        html`💰 Revenue: <b>${p.revenue}</b>`,
        p.reversedToday === undefined
          ? html`📅 Today: <b>+${p.countedToday}</b> · ${p.revenueToday}`
          : html`📅 Today: <b>+${p.countedToday}</b>, ${p.reversedToday} reversed · ${p.revenueToday}`,
      ),
    noToken: html`👉 There is no token yet: without one the bot gets no tasks.`,
    nothingExcluded: 'nothing',
    types: { channel: 'channels', bot: 'bots' },
    excludedOrders: (p) => `orders: ${p.count}`,
    token: '🔑 API token',
    settings: '⚙️ Settings',
    statistics: '📊 Statistics',
    integration: '🧩 Integration',
    why: '❓ Why no tasks?',
    switchOff: '🔴 Switch off',
    switchOn: '🟢 Switch on',
    askSwitchOff: (p) =>
      lines(
        html`Switch <b>@${p.username}</b> off?\n`,
        html`All its tokens will get 401, and the bot gets no tasks. What you have earned stays yours. You can switch it on again at any time.`,
      ),
  },
  token: {
    title: (p) => html`🔑 <b>API token of @${p.username}</b>`,
    none: html`There is no valid token. Create one, so that the bot can ask for tasks.`,
    one: (p) =>
      lines(
        html`• <code>${p.fingerprint}…</code>, created ${p.created}`,
        html`   ${p.isBeta ? 'tasks and beta access' : 'tasks'}, ${p.validUntil === undefined ? 'no end set' : `valid until ${p.validUntil}`}`,
      ),
    more: (p) => html`…and ${p.count} more`,
    note: html`The code at the left begins the SHA-256 of the token. We do not keep the token itself, so it cannot be shown again.`,
    create: '➕ Create token',
    renew: '♻️ Regenerate',
    askRenew: (p) =>
      lines(
        html`♻️ Regenerate the token of <b>@${p.username}</b>?\n`,
        html`You get a new token. When shall the present ones stop working?`,
        html`If a token has leaked, choose “At once”. If you need time to update your bot, leave some.`,
      ),
    grace: { 0: 'At once', 1: 'In 1 hour', 24: 'In 24 hours', 168: 'In 7 days' },
    once: (p) =>
      lines(
        html`✅ The token of <b>@${p.username}</b>:\n`,
        html`<code>${p.token}</code>\n`,
        html`Save it now: it is shown this once, and any button of the menu replaces this message. Do not share it.`,
      ),
    oldUntil: (p) => html`The earlier tokens work until ${p.until}.`,
    oldEnded: html`The earlier tokens no longer work.`,
    saved: '✅ I have saved it',
    issuedBefore: html`☝️ This button has created its token already, and it cannot be shown again. If you did not save it, regenerate.`,
  },
  settings: {
    title: (p) => html`⚙️ <b>Settings of @${p.username}</b>`,
    choose: html`What shall change?`,
    maxSponsors: (p) => `📋 Tasks per round: ${p.value}`,
    round: (p) => `⏱ Round length: ${p.value}`,
    profiles: (p) => `🧭 Profile collection: ${p.value}`,
    unknownOrders: (p) => `🩹 200 for an unknown ads_id: ${p.value}`,
    types: (p) => `🚫 Types: ${p.value}`,
    orders: (p) => `🙈 Hidden orders: ${p.value}`,
    allTypes: 'all',
    onlyType: { channel: 'channels only', bot: 'bots only' },
    askMaxSponsors: (p) =>
      lines(
        html`📋 How many tasks shall a user be shown per round? Now: <b>${p.value}</b>.\n`,
        html`Choose, or write a number from ${p.min} to ${p.max}. A request with <code>max_sponsors</code> comes before this setting.`,
      ),
    askRound: (p) =>
      lines(
        html`⏱ After what time shall a user who has done the tasks see new ones? Now: <b>${p.value}</b>.\n`,
        html`Choose, or write a number of minutes, from ${p.min} to ${p.max}.`,
      ),
    askProfiles: (p) =>
      lines(
        html`🧭 <b>Profile collection</b>: ${p.value} now\n`,
        html`When it is on, a user of whom we know nothing gets one of the tasks through a short link of ours. It learns country, city and device, so that orders with such filters fit better.`,
        html`The link also stores a keyed hash of the network address, never the address itself. Tell your users about it: the text for them is at ${p.privacy}.`,
        html`The task stays the same, and so does the reward.`,
      ),
    askUnknownOrders: (p) =>
      lines(
        html`🩹 <b>200 for an unknown ads_id</b>: ${p.value} now\n`,
        html`By default a confirm of an unknown <code>ads_id</code> gets 404. Some programs let the user in without a task on any error. When this is on, they get 200 and <code>{"status":"warning","subscribed":false,"code":"order_not_found"}</code> and ask for tasks again.`,
      ),
    askTypes: html`🚫 Which tasks shall be shown? At least one type has to stay.`,
    typeShown: { channel: '✅ Channels', bot: '✅ Bots' },
    typeHidden: { channel: '❌ Channels', bot: '❌ Bots' },
    lastType: 'One of the types has to stay.',
    hiddenOrders: html`🙈 <b>Hidden orders</b>: this bot does not show them. Press an order to bring it back.`,
    noHiddenOrders: html`🙈 No order is hidden: the bot shows all that fit.`,
    hideOrder: '➕ Hide an order',
    showOrder: (p) => (p.title === undefined ? `↩️ No. ${p.orderId}` : `↩️ No. ${p.orderId} · ${p.title}`),
    askOrder: html`Write the number of the order not to show. It is the <code>ads_id</code> of a task in the answer of get-sponsors.`,
    wrongOrder: html`⚠️ There is no order of that number. Write an <code>ads_id</code> out of an answer of get-sponsors, such as 17.`,
    tooManyOrders: (p) => html`⚠️ No more than ${p.most} orders can be hidden: bring some back.`,
    duration: (minutes) => {
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter((part) => part !== '').join(' ');
    },
  },
  gate: {
    menu: '📨 Messages through the bot',
    title: (p) => html`📨 <b>Messages through @${p.username}</b>`,
    explain: html`Only needed if your code was written for Flyer (<code>check</code>) or SubGram (<code>get_links=0</code>): we send the user the list of sponsors, as your bot. For that we need its token from @BotFather. Our own API does not need it: there your bot shows the list itself.`,
    isOn: html`🟢 We have the token, stored encrypted.`,
    isOff: html`🔴 There is no token: such requests let users in without tasks and unpaid.`,
    failed: (p) => html`⚠️ The last message that was not sent, ${p.at}: ${p.why}`,
    give: '🔑 Give the token',
    replace: '🔑 Replace the token',
    remove: '🗑 Delete the token',
    askToken: (p) =>
      lines(
        html`🔑 Send the token of @${p.username} from @BotFather. It looks like this:`,
        html`<code>123456789:AAExampleExampleExampleExampleExamp</code>\n`,
        html`We remove your message from the chat at once. We store the token encrypted and only send these messages with it.`,
      ),
    saved: html`✅ The token is stored.`,
    askRemove: (p) =>
      html`Delete the token of <b>@${p.username}</b>? Requests that need it will let users in without tasks and unpaid.`,
  },
  statistics: {
    caption: (p) =>
      lines(
        html`📊 <b>@${p.username}</b>, ${p.days}\n`,
        html`👥 Counted: <b>${p.counted}</b>, reversed: <b>${p.reversed}</b>`,
        html`💰 Revenue: <b>${p.revenue}</b>`,
      ),
    noPicture: html`The chart could not be drawn, but the figures are right.`,
    days: { 7: '7 days', 30: '30 days' },
    subscribers: 'Subscribers',
    counted: 'counted',
    reversed: 'reversed',
    revenue: 'Revenue, ₽',
    nothing: 'Nothing happened on these days',
  },
  integration: {
    intro: (p) =>
      lines(
        html`🧩 <b>Integration of @${p.username}</b>\n`,
        html`When a user enters your bot, ask for tasks. On <code>warning</code> show them with an “I subscribed” button that confirms each. On <code>ok</code> let the user in.`,
      ),
    withToken: html`Your token is filled in. It can be seen as long as this screen is open.`,
    withoutToken: (p) =>
      html`Put your token in place of <code>${'<API_KEY>'}</code>: My bots → @${p.username} → API token.`,
    reference: (p) => html`All methods: ${p.url}`,
    tabs: { curl: 'curl', ts: 'TypeScript', py: 'Python' },
    chosen: (p) => `• ${p.tab} •`,
  },
  webhooks: {
    menu: '🔌 Webhooks',
    title: html`🔌 <b>Webhooks</b>\n`,
    none: html`Send the address of your program, and it gets events: subscriptions, reversals, payouts, the state of orders. Every message is signed.`,
    some: html`Choose a webhook, or add another.`,
    add: '➕ Add a webhook',
    askUrl: (p) =>
      lines(
        html`Send the address that gets the events, for example <code>https://example.com/hook</code>. It gets all events of your account.\n`,
        html`Format: <b>${p.format}</b>. SubGram and Flyer are for code that was written for these networks.`,
      ),
    chosenFormat: (p) => `• ${p.name} •`,
    format: (p) => html`Format: <b>${p.name}</b>`,
    wrongUrl: 'A public http or https address without a name and a password is needed.',
    known: 'You have this webhook already.',
    secret: (p) =>
      lines(
        html`✅ The secret of the webhook <code>${p.url}</code>:\n`,
        html`<code>${p.secret}</code>\n`,
        html`Save it now: it is shown this once. You check the signature of messages with it (Standard Webhooks).`,
      ),
    isOn: html`🟢 On`,
    isOff: {
      gone: html`🔴 Off: the address asked not to be sent to`,
      failing: html`🔴 Off: the address failed for too long`,
    },
    events: (p) => html`Kinds of events: <b>${p.count}</b>. Deliveries and replays are in the web console.`,
    test: '📨 Send a test event',
    testSent: 'The test event is on its way.',
    enable: '🟢 Switch on',
    newSecret: '♻️ New secret',
    askNewSecret: 'Create a new secret? The present one signs messages for one more day.',
    remove: '🗑 Delete',
    askRemove: 'Delete the webhook? Events no longer go to this address.',
  },
  why: {
    ask: (p) =>
      lines(
        html`❓ <b>Why does @${p.username} get no tasks?</b>\n`,
        html`Send the Telegram id of a user (a number), or forward a message of theirs to this chat.`,
      ),
    wrongId: html`⚠️ That is no id. A number such as 123456789 is needed, or a forwarded message of the user.`,
    hidden: html`⚠️ That user does not show who they are when forwarded. Send their id as a number: your bot sees it in every message.`,
    title: (p) => html`❓ The user <code>${p.userId}</code> in <b>@${p.username}</b>`,
    some: (p) =>
      html`✅ Orders that fit: <b>${p.count}</b>. If the bot gets an empty list all the same, the user has done their tasks and sees new ones in the next round (round length ${p.round}).`,
    totals: (p) => html`Active orders: ${p.active}, paused: ${p.paused}.`,
    removed: html`<b>Why the others fell away</b>`,
    removedByFilter: html`<b>Did not fit the advertiser's filters</b>`,
    item: (p) => html`• ${p.reason}: <b>${p.count}</b>`,
    another: '🔎 Another user',
  },
};
