import { change, chatOpenIn, current, forgetData, type State, show } from './store.ts';
import type { Call, Exchange, Phone, Transfer, Webhooks } from './wire.ts';

const KEPT_CALLS = 60;
const RETRY_MS = 2_000;

let source: EventSource | undefined;
let address: string | undefined;

/**
 * Receives changes while the page is visible. Browsers limit connections per server, so a hidden page closes its
 * stream.
 */
export function startStream(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stop();
    else follow(current());
  });
  // A page in the back-forward cache would keep its stream open.
  addEventListener('pagehide', stop);
  show(
    (state) => [state.personId, chatOpenIn(state)],
    () => follow(current()),
  );
}

/** Reads everything again: what is on its way may be older than a reset. */
export function restartStream(): void {
  stop();
  forgetData();
  follow(current());
}

function stop(): void {
  source?.close();
  source = undefined;
  address = undefined;
}

function follow(state: State): void {
  if (document.hidden) return;
  const chat = chatOpenIn(state);
  // Keep the stream until the list of chats contains the clicked chat.
  if (state.chatId !== undefined && chat === undefined && state.phone?.user_id === state.personId && source) return;
  const query = new URLSearchParams({ person: String(state.personId) });
  if (chat?.type === 'bot' && chat.username !== null) query.set('bot', chat.username);
  const wanted = `/sandbox/watch?${query}`;
  if (wanted === address) return;
  stop();
  address = wanted;
  source = open(wanted, state.personId);
}

function open(url: string, personId: number): EventSource {
  const stream = new EventSource(url);
  let isFirst = true;
  const on = <T>(name: string, take: (data: T) => void): void => {
    stream.addEventListener(name, (event) => {
      if (stream === source) take(JSON.parse((event as MessageEvent<string>).data) as T);
    });
  };
  stream.addEventListener('open', () => {
    isFirst = true;
    change({ isConnected: true });
  });
  stream.addEventListener('error', () => {
    if (stream !== source) return;
    change({ isConnected: false });
    // An EventSource reconnects after an interruption, but not after an error response.
    if (stream.readyState !== EventSource.CLOSED) return;
    stop();
    setTimeout(() => follow(current()), RETRY_MS);
  });
  on<Exchange>('exchange', (exchange) => {
    // A reset removes the requests before it.
    const calls = current().calls.filter((call) => call.id >= exchange.first_call);
    change(calls.length === current().calls.length ? { exchange } : { exchange, calls });
  });
  on<readonly Transfer[]>('ledger', (ledger) => change({ ledger }));
  on<Webhooks>('webhooks', (webhooks) => change({ webhooks }));
  on<Phone>('phone', (phone) => {
    if (phone.user_id === personId) change({ phone });
  });
  // The first message of a stream has the latest calls, later ones only new calls.
  on<readonly Call[]>('calls', (fresh) => {
    const before = isFirst ? [] : current().calls;
    isFirst = false;
    change({ isLoaded: true, calls: [...fresh.toReversed(), ...before].slice(0, KEPT_CALLS) });
  });
  return stream;
}
