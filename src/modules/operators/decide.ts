import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { banUser, unbanUser } from '../audience/index.ts';
import { grantBeta, revokeBeta } from '../bots/index.ts';
import { type StartBroadcastOutcome, startBroadcast, stopBroadcast } from '../broadcasts/index.ts';
import * as contests from '../contests/index.ts';
import { ACTION_SUBJECTS, type ActionDetails, type ActionKind } from './action.ts';
import { insertAction } from './store.ts';

export interface OperatorDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export interface ByOperator {
  /** The operator's Telegram id. */
  readonly operatorId: number;
}

export interface Decision {
  readonly tx: Transaction;
  readonly at: Date;
  /** Writes the decision to the audit log. Call it only when the decision changed something. */
  log(action: ActionKind, subjectId: number, details?: ActionDetails): Promise<void>;
}

/** Runs a decision of an operator in one transaction with its entry in the audit log. */
export function decide<Outcome>(
  { db, clock }: OperatorDeps,
  { operatorId }: ByOperator,
  work: (decision: Decision) => Promise<Outcome>,
): Promise<Outcome> {
  return db.transaction((tx) => {
    const at = clock.now();
    return work({
      tx,
      at,
      log: (action, id, details = {}) =>
        insertAction(tx, { operatorId, action, subject: { kind: ACTION_SUBJECTS[action], id }, details, at }),
    });
  });
}

export interface BroadcastDecision extends ByOperator {
  /** Names the request, so that a repeat sends nothing. */
  readonly key: string;
  readonly textRu: string;
  readonly textEn: string;
}

export function beginBroadcast(deps: OperatorDeps, decision: BroadcastDecision): Promise<StartBroadcastOutcome> {
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await startBroadcast(tx, { ...decision, at });
    if (outcome.kind === 'started' && !outcome.isRepeat) await log('broadcast.started', outcome.broadcast.id);
    return outcome;
  });
}

/** Stops a broadcast: recipients who have not received it yet do not get it. Returns whether it was still being sent. */
export function endBroadcast(
  deps: OperatorDeps,
  decision: ByOperator & { readonly broadcastId: number },
): Promise<boolean> {
  const { broadcastId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const isStopped = await stopBroadcast(tx, broadcastId, at);
    if (isStopped) await log('broadcast.stopped', broadcastId);
    return isStopped;
  });
}

type ContestDecision = ByOperator & { readonly contestId: number };

export function createContest(
  deps: OperatorDeps & { readonly contests: Pick<contests.ContestDeps, 'needsApproval'> },
  by: ByOperator,
  contest: contests.NewContest,
): Promise<contests.CreateContestOutcome> {
  const { needsApproval } = deps.contests;
  return decide(deps, by, async ({ tx, at, log }) => {
    const outcome = await contests.createContest(tx, { ...contest, needsApproval, at });
    if (outcome.kind === 'created' && !outcome.isRepeat) {
      await log('contest.created', outcome.contest.id, { name: outcome.contest.name });
    }
    return outcome;
  });
}

export function approveContest(deps: OperatorDeps, decision: ContestDecision): Promise<contests.ApproveContestOutcome> {
  const { contestId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await contests.approveContest(tx, { contestId, at });
    if (outcome.kind === 'approved') await log('contest.approved', contestId);
    return outcome;
  });
}

export function cancelContest(deps: OperatorDeps, decision: ContestDecision): Promise<contests.CancelContestOutcome> {
  const { contestId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await contests.cancelContest(tx, { contestId, at });
    if (outcome.kind === 'cancelled') await log('contest.cancelled', contestId);
    return outcome;
  });
}

/** Bans a Telegram user: no bot shows them tasks or counts their subscriptions. Returns whether that changed anything. */
export function banUserId(
  deps: OperatorDeps,
  decision: ByOperator & { readonly userId: number; readonly reason: string },
): Promise<boolean> {
  const { userId, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const isNew = await banUser(tx, { userId, reason, at });
    if (isNew) await log('user.banned', userId, { reason });
    return isNew;
  });
}

/** Returns whether the user was banned before. */
export function unbanUserId(deps: OperatorDeps, decision: ByOperator & { readonly userId: number }): Promise<boolean> {
  const { userId } = decision;
  return decide(deps, decision, async ({ tx, log }) => {
    const wasBanned = await unbanUser(tx, userId);
    if (wasBanned) await log('user.unbanned', userId);
    return wasBanned;
  });
}

/** Grants or revokes beta access for all valid tokens of a bot. Returns how many tokens changed. */
export function changeBeta(
  deps: OperatorDeps,
  decision: ByOperator & { readonly botId: number; readonly isGranted: boolean },
): Promise<number> {
  const { botId, isGranted } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const count = await (isGranted ? grantBeta : revokeBeta)(tx, { botId, at });
    if (count > 0) await log(isGranted ? 'beta.granted' : 'beta.revoked', botId);
    return count;
  });
}
