import { addSeconds, type Clock, formatTimestamp } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { toRubles } from '../../core/money.ts';
import { available, openAccounts, platform, postTransfers } from '../ledger/index.ts';
import { type Contest, FREEZE_AFTER_SECONDS, prizeFor, type ScoringRules } from './contest.ts';
import { insertResults, lockEndedContest, type Result, rankPublishers, saveFinished } from './store.ts';

/** Writes events into the outbox, in the transaction of their fact and as its last write. */
export type RecordEvents = (tx: Transaction, events: readonly ContestCompleted[], at: Date) => Promise<unknown>;

interface ContestCompleted {
  readonly accountId: number;
  readonly type: 'contest.completed';
  readonly data: {
    readonly contest_id: number;
    readonly name: string;
    readonly rank: number;
    readonly subscriptions: number;
    readonly revenue: number;
    readonly prize: number;
    readonly completed_at: string;
  };
}

export interface FinishDeps extends ScoringRules {
  readonly db: Database;
  readonly clock: Clock;
  readonly recordEvents: RecordEvents;
}

/** Pays what belongs to no order. It may be negative: prizes come before anybody has set money aside for them. */
const GENERAL = platform(0);

/**
 * Ends every contest whose time is over and whose standings need no approval, or have it: ranks are frozen, prizes paid and participants told in one transaction, so a
 * worker that dies has done all of it or nothing. Answers how many it finished.
 */
export async function finishContests(deps: FinishDeps, signal?: AbortSignal): Promise<number> {
  let finished = 0;
  while (signal?.aborted !== true && (await finishNext(deps))) finished += 1;
  return finished;
}

async function finishNext({ db, clock, recordEvents, minimumPriceKopecks }: FinishDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const at = clock.now();
    const contest = await lockEndedContest(tx, addSeconds(at, -FREEZE_AFTER_SECONDS));
    if (contest === undefined) return false;
    const standings = await rankPublishers(tx, {
      from: contest.startsAt,
      until: contest.endsAt,
      minimumPriceKopecks,
    });
    const results = standings.map((standing) => ({ ...standing, prizeKopecks: prizeFor(contest, standing.rank) }));
    await insertResults(tx, contest.id, results);
    await saveFinished(tx, contest.id, at);
    await payPrizes(tx, contest, results, at);
    await recordEvents(
      tx,
      results.map((result) => completed(contest, result, at)),
      at,
    );
    return true;
  });
}

async function payPrizes(tx: Transaction, contest: Contest, results: readonly Result[], at: Date): Promise<void> {
  const winners = results.filter((result) => result.prizeKopecks > 0n);
  if (winners.length === 0) return;
  await openAccounts(tx, [GENERAL, ...winners.map((winner) => available(winner.accountId))]);
  const posted = await postTransfers(
    tx,
    winners.map(({ rank, accountId, prizeKopecks }) => ({
      key: `contest:${contest.id}:prize:${rank}`,
      from: GENERAL,
      to: available(accountId),
      amountKopecks: prizeKopecks,
    })),
    at,
  );
  assert(posted.size === winners.length, `the prizes of contest ${contest.id} are paid once`);
}

function completed(
  contest: Contest,
  { accountId, rank, score, revenueKopecks, prizeKopecks }: Result,
  at: Date,
): ContestCompleted {
  return {
    accountId,
    type: 'contest.completed',
    data: {
      contest_id: contest.id,
      name: contest.name,
      rank,
      subscriptions: score,
      revenue: toRubles(revenueKopecks),
      prize: toRubles(prizeKopecks),
      completed_at: formatTimestamp(at),
    },
  };
}
