import { chatOpenIn, type State } from '../store.ts';
import type { Tab } from '../tabs.ts';
import type { StepName } from '../texts/en.ts';
import { language } from '../texts/index.ts';
import type { TransferKind } from '../wire.ts';
import type { OpenedDetails } from '../world/opened-details.ts';

/** The Telegram ids of the two persons of the tour. */
export interface Cast {
  readonly first: number;
  readonly second: number;
}

/** Demo persons with the language of the page, so that the bots write in it too. */
export const CAST: Cast = language === 'ru' ? { first: 100_001, second: 100_002 } : { first: 100_003, second: 100_004 };

/** The facts by which a step decides whether it is done. */
interface Facts {
  readonly state: State;
  /** The entries unfolded since the step began. */
  readonly opened: readonly OpenedDetails[];
  /** The id of the newest request before the tour began. */
  readonly firstCall: number;
  readonly cast: Cast;
}

export interface Step {
  readonly name: StepName;
  /** The tab to show on narrow screens. */
  readonly tab: Tab;
  isDone(facts: Facts): boolean;
  /** Returns a selector of the elements to press next. */
  target(state: State, cast: Cast): string;
}

const hasTransfer = ({ state }: Facts, kind: TransferKind, userId: number): boolean =>
  state.ledger.some((transfer) => transfer.kind === kind && transfer.user_id === userId);

const hasOpened = ({ opened }: Facts, list: OpenedDetails['list'], text: string): boolean =>
  opened.some((entry) => entry.list === list && entry.subject.includes(text));

function hasRequested({ state, firstCall }: Facts, userId: number): boolean {
  return state.calls.some(
    (call) =>
      call.id > firstCall &&
      call.path.endsWith('/get-sponsors') &&
      call.request?.includes(`"user_id":${userId}`) === true,
  );
}

/** Leads this person to the chat with the demo bot, then to `next`. */
function toClub(state: State, userId: number, next: string): string {
  const club = state.world?.demo_bot ?? '';
  if (state.personId !== userId) return '#person';
  const chat = chatOpenIn(state);
  if (chat === undefined) return `[data-chat="${club}"]`;
  return chat.username === club ? next : '#chat-back';
}

/** Leads this person through the sponsors of the demo bot that they have not joined, then to `next`. */
function toSponsors(state: State, userId: number, next: string): string {
  const chat = chatOpenIn(state);
  const isSponsor = chat !== undefined && !chat.is_service;
  if (state.personId === userId && isSponsor && !chat.is_member) return '#chat-action';
  const missing = state.phone?.chats.filter((candidate) => !candidate.is_service && !candidate.is_member) ?? [];
  const open = missing.map((candidate) => `.message:last-child [data-opens="${candidate.username}"]`).join(', ');
  const isOpenShown = open !== '' && document.querySelector(open) !== null;
  return toClub(state, userId, isOpenShown ? open : next);
}

const CONFIRM = '.message:last-child [data-press^="sponsorgate:"]';
const joinedSponsors = ({ phone }: State): number =>
  phone?.chats.filter((chat) => !chat.is_service && chat.is_member).length ?? 0;

export const STEPS: readonly Step[] = [
  {
    name: 'meet',
    tab: 'phone',
    isDone: (facts) => hasRequested(facts, facts.cast.first),
    target: (state, { first }) => toClub(state, first, '#chat-action'),
  },
  {
    name: 'tasks',
    tab: 'world',
    isDone: (facts) => hasOpened(facts, 'call', 'get-sponsors'),
    target: () => '#calls [data-path$="/get-sponsors"] summary',
  },
  {
    name: 'webhook',
    tab: 'world',
    isDone: ({ state }) => state.webhooks.is_subscribed,
    target: () => '#webhooks-subscribe',
  },
  {
    name: 'subscribe',
    tab: 'phone',
    isDone: (facts) =>
      (facts.state.personId === facts.cast.first && joinedSponsors(facts.state) >= 2) ||
      hasTransfer(facts, 'reward_held', facts.cast.first),
    target: (state, { first }) => toSponsors(state, first, CONFIRM),
  },
  {
    name: 'confirm',
    tab: 'phone',
    isDone: (facts) => hasTransfer(facts, 'reward_held', facts.cast.first),
    target: (state, { first }) => toClub(state, first, CONFIRM),
  },
  {
    name: 'hold',
    tab: 'world',
    isDone: (facts) => hasOpened(facts, 'transfer', 'reward_held'),
    target: (_state, { first }) => `#ledger [data-kind="reward_held"][data-user="${first}"] summary`,
  },
  {
    name: 'day',
    tab: 'world',
    isDone: (facts) => hasTransfer(facts, 'reward_released', facts.cast.first),
    target: () => '#clock-day-later',
  },
  {
    name: 'second',
    tab: 'phone',
    isDone: (facts) => hasTransfer(facts, 'reward_held', facts.cast.second),
    target(state, { second }) {
      const chat = chatOpenIn(state);
      const isNew = state.personId === second && chat?.is_service === true && !chat.is_member;
      return isNew ? '#chat-action' : toSponsors(state, second, CONFIRM);
    },
  },
  {
    name: 'leave',
    tab: 'phone',
    isDone: (facts) => hasTransfer(facts, 'reward_reversed', facts.cast.second),
    target(state, { second }) {
      if (state.personId !== second) return '#person';
      const chat = chatOpenIn(state);
      if (chat === undefined) return '.chat-line:has(.chat-member)';
      return !chat.is_service && chat.is_member ? '#chat-leave' : '#chat-back';
    },
  },
  {
    name: 'proof',
    tab: 'world',
    isDone: (facts) => hasOpened(facts, 'webhook', 'subscription.reversed'),
    target: () => '#webhooks [data-event="subscription.reversed"] summary',
  },
];
