import type { OrderBook } from '../orders/index.ts';
import type { KnownList } from './placement-store.ts';
import { renewalDue, type TaskRequest } from './plan-tasks.ts';
import type { SponsorTask } from './sponsor-task.ts';

/**
 * What repeat callers were last told. Bots ask on every message, and while a list stands as it is written, is not due to
 * be renewed, and its orders are what they were, the answer is the same. All of that is compared with what was just read
 * for the request at hand, so that no answer can be out of date, whichever process has changed something.
 */
export interface RememberedAnswers {
  /** Whether anything is remembered of the user, in whichever bot. */
  has(userId: number): boolean;
  recall(list: KnownList, request: TaskRequest): readonly SponsorTask[] | undefined;
  /** `tasks` is what this list comes to for this request, with nothing to write. */
  keep(list: KnownList, request: TaskRequest, tasks: readonly SponsorTask[]): void;
}

interface Remembered {
  readonly botId: number;
  readonly written: string;
  readonly max: number;
  readonly roundNumber: number;
  readonly requested: number;
  readonly endsAtMs: number;
  /** From then on there is something to write. */
  readonly untilMs: number;
  readonly tasks: readonly SponsorTask[];
}

/** Users; about 30 MB at most. Beyond it the oldest are forgotten, and cost what they cost before. */
const MAX_REMEMBERED = 20_000;

export function createRememberedAnswers(book: Pick<OrderBook, 'looksTheSame'>): RememberedAnswers {
  const answers = new Map<number, Remembered>();

  return {
    has: (userId) => answers.has(userId),

    recall(list, { action, max, now }) {
      const { round } = list;
      if (action !== 'subscribe' || round === undefined || list.lostOrders.length > 0) return undefined;
      const known = answers.get(list.userId);
      if (known === undefined || known.botId !== list.botId || known.max !== max) return undefined;
      if (known.roundNumber !== round.number || known.requested !== round.requested) return undefined;
      if (known.endsAtMs !== round.endsAt.getTime() || known.untilMs <= now.getTime()) return undefined;
      if (known.written !== list.written) return undefined;
      return known.tasks.every(({ order }) => book.looksTheSame(order)) ? known.tasks : undefined;
    },

    keep({ userId, botId, round, written, lostOrders }, { max, offerSeconds }, tasks) {
      if (round === undefined || written === undefined || lostOrders.length > 0) return;
      answers.delete(userId); // what is set anew is the youngest
      const [oldest] = answers.size < MAX_REMEMBERED ? [] : answers.keys();
      if (oldest !== undefined) answers.delete(oldest);
      const endsAtMs = round.endsAt.getTime();
      answers.set(userId, {
        botId,
        written,
        max,
        roundNumber: round.number,
        requested: round.requested,
        endsAtMs,
        untilMs: Math.min(endsAtMs, ...tasks.map(({ offer }) => renewalDue(offer, offerSeconds).getTime())),
        tasks,
      });
    },
  };
}
