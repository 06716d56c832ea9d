import { addSeconds, formatTimestamp } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { toRubles } from '../../core/money.ts';
import { type NewEvent, recordEvents } from '../events/index.ts';
import { available, contestPrizeTransfer, GENERAL_PLATFORM, openAccounts, postTransfers } from '../ledger/index.ts';
import { type Contest, FREEZE_AFTER_SECONDS, prizeFor } from './contest.ts';
import type { ContestDeps } from './report-contests.ts';
import { insertResults, lockEndedContest, type Result, rankPublishers, saveFinished } from './store.ts';

type FinishDeps = Pick<ContestDeps, 'db' | 'clock' | 'minimumPriceKopecks'>;

/**
 * Finishes every contest that is over and approved. One transaction freezes the ranks, pays the prizes and records the
 * events, so a crash leaves all of it or nothing. Returns how many contests it finished.
 */
export async function finishContests(deps: FinishDeps, signal?: AbortSignal): Promise<number> {
  let finished = 0;
  while (signal?.aborted !== true && (await finishNext(deps))) finished += 1;
  return finished;
}

async function finishNext({ db, clock, minimumPriceKopecks }: FinishDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const at = clock.now();
    const contest = await lockEndedContest(tx, addSeconds(at, -FREEZE_AFTER_SECONDS));
    if (contest === undefined) return false;
    const period = { from: contest.startsAt, until: contest.endsAt };
    const standings = await rankPublishers(tx, { ...period, minimumPriceKopecks });
    const results = standings.map((standing) => ({ ...standing, prizeKopecks: prizeFor(contest, standing.rank) }));
    await insertResults(tx, contest.id, results);
    await saveFinished(tx, contest.id, at);
    await payPrizes(tx, contest, results, at);
    const events = results.map((result) => completedEvent(contest, result, at));
    await recordEvents(tx, events, at);
    return true;
  });
}

async function payPrizes(tx: Transaction, contest: Contest, results: readonly Result[], at: Date): Promise<void> {
  const winners = results.filter((result) => result.prizeKopecks > 0n);
  if (winners.length === 0) return;
  await openAccounts(tx, [GENERAL_PLATFORM, ...winners.map((winner) => available(winner.accountId))]);
  const posted = await postTransfers(
    tx,
    winners.map(({ rank, accountId, prizeKopecks }) =>
      contestPrizeTransfer({ contestId: contest.id, place: rank, accountId, amountKopecks: prizeKopecks }),
    ),
    at,
  );
  assert(posted.size === winners.length, `the prizes of contest ${contest.id} are paid once`);
}

function completedEvent(
  contest: Contest,
  { accountId, rank, score, revenueKopecks, prizeKopecks }: Result,
  at: Date,
): NewEvent {
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
