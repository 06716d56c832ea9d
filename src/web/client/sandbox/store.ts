import type { Call, Chat, Phone, Transfer, Webhooks, World } from './wire.ts';

/** The latest data of everything that the page shows. */
export interface State {
  /** The person whose phone is shown. */
  readonly personId: number;
  /** The open chat; undefined for the list of chats. */
  readonly chatId: number | undefined;
  /** The `start` parameter of the link that opened the chat. */
  readonly startParam: string | undefined;
  readonly isConnected: boolean;
  readonly world: World | undefined;
  readonly phone: Phone | undefined;
  readonly ledger: readonly Transfer[];
  readonly calls: readonly Call[];
  readonly webhooks: Webhooks;
}

/** The first demo person. */
const FIRST_PERSON = 100_001;

let state: State = {
  personId: FIRST_PERSON,
  chatId: undefined,
  startParam: undefined,
  isConnected: false,
  world: undefined,
  phone: undefined,
  ledger: [],
  calls: [],
  webhooks: { is_subscribed: false, caught: [] },
};

const views: ((state: State) => void)[] = [];
let isScheduled = false;

export const current = (): State => state;

/** Changes the state; several changes before the next frame are drawn once. */
export function change(patch: Partial<State>): void {
  state = { ...state, ...patch };
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    for (const draw of views) draw(state);
  });
}

/** Calls `draw` with the result of `part` now and after each change of that result. */
export function show<const Part extends readonly unknown[]>(
  part: (state: State) => Part,
  draw: (part: Part) => void,
): void {
  let before: Part | undefined;
  const view = (next: State): void => {
    const now = part(next);
    if (before?.every((value, index) => Object.is(value, now[index])) === true) return;
    before = now;
    draw(now);
  };
  views.push(view);
  view(state);
}

export function chatOpenIn({ chatId, phone }: State): Chat | undefined {
  return chatId === undefined ? undefined : phone?.chats.find((chat) => chat.chat_id === chatId);
}
