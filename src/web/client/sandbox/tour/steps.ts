import { type Cast, chatOpenIn, type State } from '../store.ts';
import type { Tab } from '../tabs.ts';
import type { StepName } from '../texts/en.ts';
import type { Chat, TransferKind } from '../wire.ts';
import * as perform from './perform.ts';

export interface Step {
  readonly name: StepName;
  /** The side of the page that a narrow screen shows. */
  readonly tab: Tab;
  /** The person whose phone the step shows. */
  readonly person: keyof Cast;
  /** The chat that the phone shows when the step begins. */
  chat(state: State): Chat | undefined;
  /** Whether the state is the one that the step leads to, however it came about. */
  isDone(state: State, person: number): boolean;
  /** Whether the step can no longer be done, because the visitor did something else first. */
  isMissed?(state: State, person: number): boolean;
  /** Returns a selector of the elements to press next. */
  target(state: State, person: number): string;
  /** Does the step for the visitor. */
  perform(person: number): Promise<void>;
}

export const clubOf = ({ exchange, phone }: State): Chat | undefined =>
  phone?.chats.find((chat) => chat.username === exchange?.demo_bot);

/** Returns whether an order advertises the chat. */
export const isSponsor = ({ exchange }: State, chat: Chat): boolean =>
  exchange?.orders.some((order) => order.chat_id === chat.chat_id) === true;

const hasTransfer = ({ ledger }: State, kind: TransferKind, userId: number): boolean =>
  ledger.some((transfer) => transfer.kind === kind && transfer.user_id === userId);

const hasOpen = (selector: string): boolean => document.querySelector(`${selector}[open]`) !== null;

const hasAsked = ({ calls }: State, userId: number): boolean =>
  calls.some((call) => call.path.endsWith('/get-sponsors') && call.request?.includes(`"user_id":${userId}`) === true);

const callOf = (userId: number): string => `#calls [data-path$="/get-sponsors"][data-user="${userId}"]`;
const rewardOf = (userId: number): string => `#ledger [data-kind="reward_held"][data-user="${userId}"]`;
const REVERSED_EVENT = '#webhooks [data-event="subscription.reversed"]';
const CONFIRM = '.message:last-child [data-press^="sponsorgate:"]';

/** Leads to the demo bot's chat, through the sponsors of its list that the person has not joined, then to `next`. */
function throughSponsors(state: State, next: string): string {
  const club = clubOf(state);
  const chat = chatOpenIn(state);
  if (chat === undefined) return `[data-chat="${club?.username}"]`;
  if (isSponsor(state, chat)) return chat.is_member ? '' : '#chat-action'; // the tour goes back by itself
  if (chat.chat_id !== club?.chat_id) return '#chat-back';
  if (!chat.is_member) return '#chat-action';
  const missing = state.phone?.chats.filter((other) => isSponsor(state, other) && !other.is_member) ?? [];
  const open = missing.map((other) => `.message:last-child [data-opens="${other.username}"]`).join(', ');
  return open !== '' && document.querySelector(open) !== null ? open : next;
}

const joinedSponsors = (state: State): number =>
  state.phone?.chats.filter((chat) => isSponsor(state, chat) && chat.is_member).length ?? 0;

/** Returns a sponsor for which the publisher can still lose the reward. */
function reversibleSponsor(state: State): Chat | undefined {
  const { phone, exchange } = state;
  const orders = new Set(phone?.subscriptions.filter(({ state }) => state === 'held').map((task) => task.order_id));
  const chats = new Set(exchange?.orders.filter(({ order_id: id }) => orders.has(id)).map((order) => order.chat_id));
  return phone?.chats.find((chat) => chat.is_member && chats.has(chat.chat_id));
}

const first = { person: 'first', chat: clubOf } as const;
const second = { person: 'second', chat: clubOf } as const;

export const STEPS: readonly Step[] = [
  {
    ...first,
    name: 'meet',
    tab: 'phone',
    isDone: (state, person) => clubOf(state)?.is_member === true && hasAsked(state, person),
    target(state) {
      if (clubOf(state)?.is_member !== true) return throughSponsors(state, '');
      // A list without its request: the service was restarted.
      return state.phone?.open?.messages.some((message) => message.keyboard.length > 0) ? '#tour-perform' : '';
    },
    perform: perform.startClub,
  },
  {
    ...first,
    name: 'tasks',
    tab: 'exchange',
    isDone: (_state, person) => hasOpen(callOf(person)),
    target: (_state, person) => `${callOf(person)} summary`,
    perform: async (person) => perform.unfold(callOf(person)),
  },
  {
    ...first,
    name: 'webhook',
    tab: 'exchange',
    isDone: ({ webhooks }) => webhooks.is_subscribed,
    target: () => '#webhooks-subscribe',
    perform: perform.subscribe,
  },
  {
    ...first,
    name: 'subscribe',
    tab: 'phone',
    isDone: (state, person) => joinedSponsors(state) >= 2 || hasTransfer(state, 'reward_held', person),
    target: (state) => throughSponsors(state, CONFIRM),
    perform: perform.joinSponsors,
  },
  {
    ...first,
    name: 'confirm',
    tab: 'phone',
    isDone: (state, person) => hasTransfer(state, 'reward_held', person),
    target: (state) => throughSponsors(state, CONFIRM),
    perform: perform.confirm,
  },
  {
    ...first,
    name: 'hold',
    tab: 'exchange',
    isDone: (_state, person) => hasOpen(rewardOf(person)),
    target: (_state, person) => `${rewardOf(person)} summary`,
    perform: async (person) => perform.unfold(rewardOf(person)),
  },
  {
    ...first,
    name: 'day',
    tab: 'exchange',
    isDone: (state, person) => hasTransfer(state, 'reward_released', person),
    target: () => '#clock-day-later',
    perform: perform.letDayPass,
  },
  {
    ...second,
    name: 'second',
    tab: 'phone',
    isDone: (state, person) => hasTransfer(state, 'reward_held', person),
    target: () => '#tour-perform',
    perform: perform.goThroughGate,
  },
  {
    ...second,
    name: 'leave',
    tab: 'phone',
    chat: reversibleSponsor,
    isDone: (state, person) => hasTransfer(state, 'reward_reversed', person),
    // The visitor has moved the clock past the hold.
    isMissed: (state, person) =>
      reversibleSponsor(state) === undefined &&
      hasTransfer(state, 'reward_released', person) &&
      !hasTransfer(state, 'reward_reversed', person),
    target(state) {
      const chat = chatOpenIn(state);
      if (chat === undefined) return `[data-chat="${reversibleSponsor(state)?.username}"]`;
      if (isSponsor(state, chat)) return chat.is_member ? '#chat-leave' : '';
      return '#chat-back';
    },
    perform: async (person) => perform.leaveSponsor(person, reversibleSponsor),
  },
  {
    ...second,
    name: 'proof',
    tab: 'exchange',
    chat: (state) => chatOpenIn(state) ?? clubOf(state),
    isDone: () => hasOpen(REVERSED_EVENT),
    target: () => `${REVERSED_EVENT} summary`,
    perform: async () => perform.unfold(REVERSED_EVENT),
  },
];
