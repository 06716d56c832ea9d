import { chatOpenIn, type State } from '../store.ts';
import type { Tab } from '../tabs.ts';
import type { StepName } from '../texts/en.ts';
import { language } from '../texts/index.ts';
import type { TransferWord } from '../wire.ts';
import type { Looked } from '../world/signals.ts';

/** Whom the person who is led plays, by their Telegram ids. */
export interface Cast {
  readonly first: number;
  readonly second: number;
}

/** Demo persons who speak the language of the page, so that the bots do too. */
export const CAST: Cast = language === 'ru' ? { first: 100_001, second: 100_002 } : { first: 100_003, second: 100_004 };

/** What a step can tell from. */
interface Seen {
  readonly state: State;
  /** What was unfolded since the step began. */
  readonly looks: readonly Looked[];
  /** The newest request before the tour began. */
  readonly firstCall: number;
  readonly cast: Cast;
}

export interface Step {
  readonly name: StepName;
  /** Where it takes place. */
  readonly tab: Tab;
  isDone(seen: Seen): boolean;
  /** What to press next, as a selector. */
  target(state: State, cast: Cast): string;
}

const hasMoved = ({ state }: Seen, what: TransferWord, userId: number): boolean =>
  state.ledger.some((transfer) => transfer.what === what && transfer.user_id === userId);

const hasLooked = ({ looks }: Seen, at: Looked['at'], text: string): boolean =>
  looks.some((look) => look.at === at && look.what.includes(text));

function hasAsked({ state, firstCall }: Seen, userId: number): boolean {
  return state.calls.some(
    (call) =>
      call.id > firstCall &&
      call.path.endsWith('/get-sponsors') &&
      call.request?.includes(`"user_id":${userId}`) === true,
  );
}

/** To the chat with the demo bot, as this person, and there to what comes next. */
function inClub(state: State, userId: number, next: string): string {
  const club = state.world?.demo_bot ?? '';
  if (state.personId !== userId) return '#person';
  const chat = chatOpenIn(state);
  if (chat === undefined) return `[data-chat="${club}"]`;
  return chat.username === club ? next : '#chat-back';
}

/** The sponsors that the demo bot shows and whom the person has not joined, one after the other. */
function subscribing(state: State, userId: number, next: string): string {
  const chat = chatOpenIn(state);
  const isSponsor = chat !== undefined && !chat.is_service;
  if (state.personId === userId && isSponsor && !chat.is_member) return '#chat-action';
  const missing = state.phone?.chats.filter((candidate) => !candidate.is_service && !candidate.is_member) ?? [];
  const open = missing.map((candidate) => `.message:last-child [data-opens="${candidate.username}"]`).join(', ');
  const isOpenShown = open !== '' && document.querySelector(open) !== null;
  return inClub(state, userId, isOpenShown ? open : next);
}

const CONFIRM = '.message:last-child [data-press^="sponsorgate:"]';
const joinedSponsors = ({ phone }: State): number =>
  phone?.chats.filter((chat) => !chat.is_service && chat.is_member).length ?? 0;

export const STEPS: readonly Step[] = [
  {
    name: 'meet',
    tab: 'phone',
    isDone: (seen) => hasAsked(seen, seen.cast.first),
    target: (state, { first }) => inClub(state, first, '#chat-action'),
  },
  {
    name: 'tasks',
    tab: 'world',
    isDone: (seen) => hasLooked(seen, 'call', 'get-sponsors'),
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
    isDone: (seen) =>
      (seen.state.personId === seen.cast.first && joinedSponsors(seen.state) >= 2) ||
      hasMoved(seen, 'reward_held', seen.cast.first),
    target: (state, { first }) => subscribing(state, first, CONFIRM),
  },
  {
    name: 'confirm',
    tab: 'phone',
    isDone: (seen) => hasMoved(seen, 'reward_held', seen.cast.first),
    target: (state, { first }) => inClub(state, first, CONFIRM),
  },
  {
    name: 'hold',
    tab: 'world',
    isDone: (seen) => hasLooked(seen, 'transfer', 'reward_held'),
    target: (_state, { first }) => `#ledger [data-what="reward_held"][data-user="${first}"] summary`,
  },
  {
    name: 'day',
    tab: 'world',
    isDone: (seen) => hasMoved(seen, 'released', seen.cast.first),
    target: () => '#clock-day-later',
  },
  {
    name: 'second',
    tab: 'phone',
    isDone: (seen) => hasMoved(seen, 'reward_held', seen.cast.second),
    target(state, { second }) {
      const chat = chatOpenIn(state);
      const isNew = state.personId === second && chat?.is_service === true && !chat.is_member;
      return isNew ? '#chat-action' : subscribing(state, second, CONFIRM);
    },
  },
  {
    name: 'leave',
    tab: 'phone',
    isDone: (seen) => hasMoved(seen, 'reversed', seen.cast.second),
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
    isDone: (seen) => hasLooked(seen, 'webhook', 'subscription.reversed'),
    target: () => '#webhooks [data-event="subscription.reversed"] summary',
  },
];
