import type { OrderBook } from '../../orders/index.ts';
import type { KnownList } from '../task-list-store.ts';
import type { SponsorTask } from './describe-tasks.ts';
import { renewalDue, type TaskRequest } from './plan-tasks.ts';

/**
 * What repeat callers were last told. Bots ask on every message, and while a list stands as it is written, is not due to
 * be renewed, and its orders are what they were, the answer is the same. The first of these PostgreSQL is asked for every
 * request (`readLists`), so that no answer can be out of date, whichever process has changed something.
 */
export interface RememberedAnswers {
  /** Whether anything is remembered of the user, in whichever bot. */
  has(userId: number): boolean;
  /** What the request comes to if the list still has that version. */
  recall(request: TaskRequest): Remembered | undefined;
  /** `tasks` is what this list comes to for this request, with nothing to write. */
  keep(list: KnownList, request: TaskRequest, tasks: readonly SponsorTask[]): void;
}

interface Remembered {
  readonly version: number;
  readonly tasks: readonly SponsorTask[];
}

interface Kept extends Remembered {
  readonly botId: number;
  readonly max: number;
  /** From then on there is something to write. */
  readonly untilMs: number;
}

/** Users; about 30 MB at most. Beyond it the oldest are forgotten, and cost what they cost before. */
const MAX_REMEMBERED = 20_000;

export function createRememberedAnswers(book: Pick<OrderBook, 'looksTheSame'>): RememberedAnswers {
  const answers = new Map<number, Kept>();

  return {
    has: (userId) => answers.has(userId),

    recall({ userId, botId, action, max, now }) {
      const known = answers.get(userId);
      if (known === undefined || action !== 'subscribe' || known.botId !== botId || known.max !== max) return undefined;
      if (known.untilMs <= now.getTime()) return undefined;
      return known.tasks.every(({ order }) => book.looksTheSame(order)) ? known : undefined;
    },

    keep({ userId, botId, round, version, lostOrders }, { max, reservationSeconds }, tasks) {
      if (round === undefined || version === undefined || lostOrders.length > 0) return;
      answers.delete(userId); // what is set anew is the youngest
      const [oldest] = answers.size < MAX_REMEMBERED ? [] : answers.keys();
      if (oldest !== undefined) answers.delete(oldest);
      const renewals = tasks.map(({ task }) => renewalDue(task, reservationSeconds).getTime());
      answers.set(userId, { botId, version, max, untilMs: Math.min(round.endsAt.getTime(), ...renewals), tasks });
    },
  };
}
