import type { TransferKind } from '../wire.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const transfers: Readonly<Record<TransferKind, (who: string, what: string) => string>> = {
  deposit: (who) => `${who} paid money in`,
  order_funded: (_who, what) => `“${what}” was prepaid`,
  order_topped_up: (_who, what) => `“${what}” was topped up`,
  order_refunded: (_who, what) => `The rest of “${what}” was given back`,
  reward_held: (who, what) => `Reward for ${who} in “${what}”, on hold`,
  reward_paid: (who, what) => `Reward for ${who} in “${what}”`,
  margin_charged: (who, what) => `The service's share for ${who} in “${what}”`,
  reward_released: (who) => `${who} stayed for a day: the reward is the publisher's`,
  reward_reversed: (who, what) => `${who} left “${what}”: the reward goes back`,
  margin_returned: (who, what) => `${who} left “${what}”: the service's share goes back`,
  payout_requested: () => 'Payout requested',
  payout_sent: () => 'Payout sent',
  payout_returned: () => 'Payout returned',
  contest_prize: () => 'Contest prize',
  debited: () => 'Debit by an operator',
};

/** The steps of the tour in their order. */
export type StepName =
  | 'meet'
  | 'tasks'
  | 'webhook'
  | 'subscribe'
  | 'confirm'
  | 'hold'
  | 'day'
  | 'second'
  | 'leave'
  | 'proof';

type StepTexts = readonly [title: string, text: string, outcome: string, action?: string];

const steps: Readonly<Record<StepName, StepTexts>> = {
  meet: [
    'Meet a publisher’s bot',
    'You are {first}, a user. “{club}” recommends films to users who have joined its sponsors; that is how its owner, the publisher, earns. Press Start on the phone.',
    'Instead of a film {first} got a list of sponsors.',
  ],
  tasks: [
    'See where the list came from',
    'The bot asked the API which sponsors to show: get-sponsors. Open the marked request to see what was sent and answered.',
    'Each ads_id is an order of an advertiser. The status stays “unsubscribed” until {first} has joined.',
  ],
  webhook: [
    'Ask for events',
    'A publisher’s server can be told about everything, with a signature. Press “Catch webhooks here”: the sandbox plays that server.',
    'The page called POST /api/v1/webhooks: events will arrive here.',
  ],
  subscribe: [
    'Join the sponsors',
    'Open each sponsor of the list, and press Join or Start there. You come back to the list by yourself.',
    'Telegram told the service at once. Nothing is paid before the bot asks.',
  ],
  confirm: [
    'Say that you did it',
    'Press “I subscribed”. The bot calls confirm-subscriptions, and the service checks with Telegram that it is true.',
    '{first} is in. The publisher has earned, but the money is on hold.',
  ],
  hold: [
    'Find the reward in the ledger',
    'Open the marked line: the reward, {share} % of the price, went from the escrow of the order into the publisher’s hold. The rest is the line of the service’s share.',
    'Every movement of money is one transfer between two accounts, and none is ever edited.',
  ],
  day: [
    'Let a day pass',
    'The reward stays on hold for 24 hours, in case {first} leaves. Press +24 h: the sandbox’s clock jumps.',
    'Released: the hold is over, the money is available. {first} may leave now, nothing would change.',
  ],
  second: [
    'Now a user who leaves again',
    'You are {second} now. Let {second} start “{club}”, join its sponsors and confirm, or do it by hand on the phone.',
    '{second} is counted too: there is money on hold again.',
    'Let {second} do the same',
  ],
  leave: [
    'Leave within a day',
    '{second} changes their mind. Press the marked button to leave the sponsor.',
    'Reversed: the publisher lost the reward, the advertiser’s escrow has it again.',
  ],
  proof: [
    'What the publisher was told',
    'A webhook “subscription.reversed” arrived, and its signature is right. Open it.',
    'The publisher’s bot knows who left. And the ledger still adds up: “Check the books” proves it.',
  ],
};

export const EN = {
  ok: 'OK',
  cancel: 'Cancel',
  failed: 'That did not work.',
  offline: 'The sandbox does not answer. Is it still running?',
  reconnecting: 'No connection to the sandbox; trying again…',
  copied: 'Copied',
  unknownPerson: 'user',
  more: (count: number) => `Show ${count} more`,
  andMore: (count: number) => `and ${count} more: use the search`,
  less: 'Show fewer',
  nothingFound: 'Nothing found.',

  phone: {
    groups: { user: 'Users', publisher: 'Publishers', advertiser: 'Advertisers', operator: 'Operators' },
    roles: { user: 'user', publisher: 'publisher', advertiser: 'advertiser', operator: 'operator' },
    choosePerson: 'Who are you?',
    searchPersons: 'Search by name, username or id',
    newPerson: 'New person',
    name: 'Name',
    language: 'Language of their Telegram',
    languages: { en: 'English', ru: 'Russian', other: 'Another' },
    premium: 'Has Telegram Premium',
    create: 'Create',
    chats: 'Chats',
    bots: 'Bots',
    ownChats: 'Your channels',
    sponsors: 'Sponsors and others',
    newChat: { channel: 'New channel', group: 'New group' },
    addBot: { channel: 'Add the bot to a channel', group: 'Add the bot to a group' },
    addBotMeaning: (bot: string) => `Choose a chat of yours. @${bot} becomes its administrator.`,
    botAdded: (bot: string, chat: string) => `@${bot} is an administrator of “${chat}” now.`,
    privateChat: 'private',
    reversible: (reward: string, until: string) =>
      `Counted: the bot’s owner gets ${reward}. Leave before ${until}, and it goes back to the advertiser.`,
    final: (reward: string) =>
      `Stayed for 24 hours: the reward of ${reward} is final. Leaving changes nothing any more.`,
    reversed: (reward: string) => `Left within 24 hours: the reward of ${reward} went back to the advertiser.`,
    leftTooLate: (reward: string) =>
      `Nothing happens any more: the 24 hours in which a leave counts are over, and the reward of ${reward} is final.`,
    back: 'Back to the chats',
    bot: 'bot',
    members: (count: number) =>
      count > 1000 ? 'more than 1000 subscribers' : plural(count, 'subscriber', 'subscribers'),
    isMember: 'subscribed',
    photo: 'Photo',
    youSaid: 'You: ',
    start: 'Start',
    restart: 'Unblock and start',
    join: 'Join',
    leave: 'Leave',
    block: 'Block',
    joined: 'You are subscribed',
    aboutBot: 'Nothing has been said here yet. Press Start to begin.',
    aboutChannel: 'A channel of the sandbox. The service learns of every join and leave at once.',
    silentBot: 'A sponsor’s bot. It has no program here, so it does not reply. Starting it is what counts.',
    write: 'Message',
    send: 'Send',
    picture: 'Picture sent by the bot',
    noPicture: 'The picture is not kept any more',
    cannot: 'This kind of button is not emulated',
    noChats: 'no chat that fits',
    elsewhere: 'opens in a new tab',
    miniApp: 'Mini App',
    newTab: 'Open in a new tab',
    close: 'Close',
    conversation: 'Conversation',
  },

  clock: {
    moved: (hours: number) => `${hours === 1 ? 'An hour' : `${hours} hours`} later.`,
    resetAsk: 'Throw away everything in this sandbox and start again with the demo data?',
    resetYes: 'Start over',
    resetDone: 'The demo data is back, without requests, and the clock shows the present.',
  },

  money: {
    more: (count: number) => `and ${count} more accounts`,
    publisher: 'publisher',
    advertiser: 'advertiser',
    service: (percent: number) => `the service, ${percent} %`,
  },

  orders: {
    left: (left: number, quantity: number) => `${left} of ${quantity} left`,
    reserved: (count: number) => `${count} being shown`,
    progress: (done: number, quantity: number) => `${done} of ${quantity} subscribers delivered`,
    escrow: 'escrow',
    price: 'price',
    charge: 'charge',
    reward: 'reward',
    statuses: {
      moderation: 'in moderation',
      active: 'active',
      paused: 'paused',
      completed: 'completed',
      cancelled: 'cancelled',
      rejected: 'rejected',
    } as Readonly<Record<string, string>>,
    empty: 'No orders yet.',
  },

  ledger: {
    transfers,
    accounts: {
      available: (owner: string) => `available: ${owner}`,
      hold: (owner: string) => `hold: ${owner}`,
      escrow: (owner: string) => `escrow of the order: ${owner}`,
      payout: (owner: string) => `payout ${owner}`,
      platform: (owner: string) => `the service, for the order: ${owner}`,
      external: (owner: string) => `outside: ${owner}`,
    },
    from: 'From',
    to: 'To',
    key: 'Unique key',
    balanced: 'Recomputed from all transfers: everything adds up to zero.',
    unbalanced: 'The books do not add up!',
    empty: 'No money has moved yet.',
  },

  calls: {
    request: 'Request',
    response: 'Answer',
    nothing: '(no body)',
    ms: (ms: number) => `${ms} ms`,
    empty:
      'The API has not been called yet. Talk to the Film club on the phone, or paste a line of “From a terminal” into yours.',
  },

  webhooks: {
    subscribed: 'The demo publisher’s events are sent here.',
    valid: 'signature verified',
    invalid: 'wrong signature',
    unknown: 'not signed by us',
    empty: 'Nothing has arrived yet.',
    untyped: 'a message',
  },

  faults: {
    none: 'Telegram answers as it should.',
    down: 'Every call of a bot gets 502 Bad Gateway.',
    too_many_requests: 'Every call gets 429 with retry_after of one second.',
    slow: 'Every call takes a second longer.',
    not_admin: 'The service’s bot is no administrator any more: membership cannot be checked.',
    also: 'Also set through the API:',
  },

  tour: {
    step: (step: number, of: number) => `Step ${step} of ${of}`,
    perform: 'Do it for me',
    leave: 'Leave',
    restart: 'Start over',
    finish: 'Finish',
    done: 'That was the whole way of the money',
    money: 'The publisher’s money',
    available: 'Available',
    hold: 'On hold',
    where: 'Show me where',
    missed:
      'The clock has passed the hold of {second}, so a leave no longer takes a reward back. Press “Start over” to see a reversal.',
    askReset: 'The tour begins with fresh demo data: what was done in this sandbox so far is thrown away.',
    askResetYes: 'Begin',
    finished:
      'Now try it by hand: be another person, talk to @sponsorgate_bot, make a bot with @BotFather, or switch on a fault.',
    steps,
  },
};

export type Texts = typeof EN;
