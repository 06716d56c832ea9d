import type { FaultMode, TransferKind } from '../wire.ts';

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

const modes: Readonly<Record<FaultMode | 'none', readonly [name: string, meaning: string]>> = {
  none: ['Works', 'Telegram answers as it should.'],
  down: ['Down', 'Every call of a bot gets 502 Bad Gateway.'],
  too_many_requests: ['Flood', 'Every call gets 429 with retry_after of one second.'],
  slow: ['Slow', 'Every call takes a second longer.'],
  not_admin: ['No rights', 'The service’s bot is no administrator any more: membership cannot be checked.'],
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

const steps: Readonly<Record<StepName, readonly [title: string, text: string, outcome: string]>> = {
  meet: [
    'Meet a publisher’s bot',
    '“{club}” is a bot whose owner earns with Sponsorgate: users see its films after they have joined its sponsors. Be {first}, open the chat “{club}” and press Start.',
    'Instead of a film {first} got a list of sponsors.',
  ],
  tasks: [
    'See where the list came from',
    'The bot asked the API which sponsors to show, with one request: get-sponsors. Open that request in “API requests” to see what was sent and answered.',
    'Each ads_id is an advertiser’s order; the answer is “warning” until {first} has done them.',
  ],
  webhook: [
    'Ask for events',
    'Publishers can have events sent to a server of theirs, signed so that nobody can forge them. Press “Catch webhooks here”: the sandbox plays that server.',
    'POST /api/v1/webhooks was called for real; its answer contains the secret, masked here.',
  ],
  subscribe: [
    'Subscribe to the sponsors',
    'Each button of the list leads to a sponsor: a channel to join, a bot to start. Open them from the list and press Join or Start in each.',
    'Telegram told the service at once, but nothing is paid before the publisher’s bot asks.',
  ],
  confirm: [
    'Say that you did it',
    'Go back to “{club}” and press “I subscribed” below the list. The bot then calls confirm-subscriptions, and the service checks with Telegram that it is true.',
    '{first} is in, and the publisher has earned: look at “On hold”.',
  ],
  hold: [
    'Find the reward in the ledger',
    'Every movement of money is one transfer from an account to another, never an edit. Open the line with {first}’s reward: it went from the advertiser’s escrow into the publisher’s hold.',
    'The rest of the advertiser’s price is the service’s share, the line beside it.',
  ],
  day: [
    'Let a day pass',
    'The reward stays on hold for 24 hours, in case {first} leaves again. Press +24 h: the sandbox’s clock jumps, and all work that fell due is done.',
    'The hold is over: the money is available to the publisher.',
  ],
  second: [
    'Now somebody less faithful',
    'Switch to {second} and do the same: start “{club}”, join its sponsors, press “I subscribed”. The publisher has money on hold again.',
    '{second} is counted, and on hold.',
  ],
  leave: [
    'Leave within a day',
    'Open one of the sponsors as {second} and press Leave (or Block, for a bot). The service learns of it from Telegram and takes the reward back.',
    'Reversed: the publisher lost the reward, the advertiser’s escrow has it again.',
  ],
  proof: [
    'What the publisher was told',
    'A webhook “subscription.reversed” arrived, and its signature was checked with the secret. Open it to see its body.',
    'And the books? Press “Check the books”: everything still adds up to zero.',
  ],
};

export const EN = {
  ok: 'OK',
  cancel: 'Cancel',
  failed: 'That did not work.',
  offline: 'The sandbox does not answer. Is it still running?',
  reconnecting: 'No connection to the sandbox; trying again…',
  copied: 'Copied',
  unknownPerson: 'somebody',
  more: (count: number) => `and ${count} more`,

  phone: {
    groups: { people: 'Users', publishers: 'Publishers', advertisers: 'Advertisers' },
    newPerson: 'New person',
    name: 'Name',
    language: 'Language of their Telegram',
    languages: { en: 'English', ru: 'Russian', other: 'Another' },
    premium: 'Has Telegram Premium',
    create: 'Create',
    bots: 'Bots',
    sponsors: 'Sponsors',
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
    aboutChannel: 'A channel of the sandbox. Whoever joins is seen by the service at once, and so is whoever leaves.',
    silentBot: 'A sponsor’s bot. Nobody runs it here, so it does not answer; starting it is what counts.',
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
    moving: 'Time passes…',
    moved: (hours: number) => `${hours === 1 ? 'An hour' : `${hours} hours`} later.`,
    resetting: 'Starting over…',
    resetAsk: 'Throw away everything in this sandbox and start again with the demo data?',
    resetYes: 'Start over',
    resetDone: 'The demo data is back.',
  },

  money: {
    publisher: 'publisher',
    advertiser: 'advertiser',
    empty: 'No accounts yet.',
  },

  orders: {
    left: (left: number, quantity: number) => `${left} of ${quantity} left`,
    reserved: (count: number) => `${count} being shown`,
    progress: (done: number, quantity: number) => `${done} of ${quantity} subscribers delivered`,
    escrow: 'escrow',
    price: 'per subscriber',
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
      'Nobody has called the API yet. Talk to the Film club on the phone, or paste the line below into a terminal.',
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
    modes,
    also: 'Also set through the API:',
  },

  tour: {
    step: (step: number, of: number) => `Step ${step} of ${of}`,
    skip: 'Skip',
    leave: 'Leave the tour',
    restart: 'Start over',
    next: 'Next step',
    finish: 'Finish',
    done: 'Done.',
    goThere: 'Show me where',
    askReset: 'The tour begins with fresh demo data: what was done in this sandbox so far is thrown away.',
    askResetYes: 'Begin',
    finished:
      'That was the whole way of the money. Now try the bot @sponsorgate_bot as the demo publisher, or switch on a fault.',
    steps,
  },
};

export type Texts = typeof EN;
