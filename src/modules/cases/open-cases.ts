import type { Clock } from '../../core/clock.ts';
import type { Database, Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { recordNotices, recordOperatorNotices } from '../notices/index.ts';
import type { Case, CaseDraft } from './case.ts';
import { readMoney } from './evidence-store.ts';
import { findChangedResources } from './find/find-changed-resources.ts';
import { findLargePayouts } from './find/find-large-payouts.ts';
import { findLostAccess } from './find/find-lost-access.ts';
import { findLowApprovals } from './find/find-low-approvals.ts';
import { findLowSources } from './find/find-low-sources.ts';
import { findRemovals } from './find/find-removals.ts';
import { findSelfDealing } from './find/find-self-dealing.ts';
import { periodBefore } from './find/period.ts';
import { canReopen, publisherRisk } from './rules.ts';
import { insertCase, listQueue, lockLatestCase, updateCase, updateRisk } from './store.ts';
import { completeModerated } from './suspects-store.ts';

export interface OpenCasesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly operatorIds: ReadonlySet<number>;
  /** Payouts above it open a case; 0: none does. */
  readonly payoutReviewAboveKopecks: Kopecks;
  /** Whether the quality of sources is scored. */
  readonly isScoring: boolean;
}

/** The job: opens cases for what looks like fraud and updates the undecided ones. Returns how many it opened. */
export async function openCases(deps: OpenCasesDeps, signal: AbortSignal): Promise<number> {
  const { db } = deps;
  const startedAt = deps.clock.now();
  const period = { ...periodBefore(startedAt), isScoring: deps.isScoring };
  await completeModerated(db);
  let opened = 0;
  for (const find of [
    findLowSources,
    findSelfDealing,
    findRemovals,
    findLostAccess,
    findChangedResources,
    findLowApprovals,
  ]) {
    for (const draft of await find(db, period)) {
      if (signal.aborted) return opened;
      if (await storeDraft(deps, draft, startedAt)) opened += 1;
    }
  }
  for (const draft of await findLargePayouts(db, deps)) if (await storeDraft(deps, draft, startedAt)) opened += 1;
  await refreshRisks(deps, signal);
  return opened;
}

/** Opens or updates the case of a draft. Returns whether it opened one. */
async function storeDraft(deps: OpenCasesDeps, draft: CaseDraft, startedAt: Date): Promise<boolean> {
  return deps.db.transaction((tx) => storeDraftIn(tx, deps, draft, startedAt));
}

async function storeDraftIn(
  tx: Transaction,
  { clock, operatorIds }: Pick<OpenCasesDeps, 'clock' | 'operatorIds'>,
  draft: CaseDraft,
  startedAt: Date,
): Promise<boolean> {
  // This lock waits for an operator who decides the case now. Without it, the evidence that the operator has just judged
  // would open the next case.
  const latest = await lockLatestCase(tx, draft);
  const at = clock.now();
  const riskKopecks = await readRisk(tx, draft, at);
  if (latest !== undefined && latest.decidedAt === null) {
    await updateCase(tx, { id: latest.id, evidence: draft.evidence, riskKopecks, at });
    return false;
  }
  if (latest?.decidedAt != null) {
    if (latest.decidedAt >= startedAt || !canReopen(draft.kind, latest.decidedAt, at)) return false;
  }
  const id = await insertCase(tx, { ...draft, riskKopecks, at });
  if (id === undefined) return false;
  const data = { case_id: id, case_kind: draft.kind };
  await recordNotices(tx, [{ accountId: draft.accountId, kind: 'case_opened', data }], at);
  await recordOperatorNotices(tx, operatorIds, { kind: 'case_waits', data }, at);
  return true;
}

/** Returns the money that the subject can still gain. */
async function readRisk(
  db: Queryable,
  { subject, accountId, evidence }: Pick<Case, 'subject' | 'accountId' | 'evidence'>,
  now: Date,
): Promise<Kopecks> {
  const money = await readMoney(db, { subject, accountId, since: periodBefore(now).sinceDay });
  if (subject.type === 'order') return money.refundableKopecks;
  const earned = publisherRisk(money.earnedKopecks, money.presentKopecks);
  const payouts = BigInt(evidence.figures.amount_kopecks ?? 0);
  return earned > payouts ? earned : payouts;
}

/**
 * Opens the cases that a payout itself gives rise to, in the transaction of its approval: the job may not have seen the
 * payout yet. A large payout is one. The destination can also be the first thing that connects the account with an
 * advertiser who paid its bots. Returns whether it opened one.
 */
export async function openPayoutCases(
  tx: Transaction,
  deps: Pick<OpenCasesDeps, 'clock' | 'operatorIds' | 'payoutReviewAboveKopecks'>,
  accountId: number,
): Promise<boolean> {
  const now = deps.clock.now();
  const drafts = [
    ...(await findLargePayouts(tx, { ...deps, accountId })),
    ...(await findSelfDealing(tx, periodBefore(now), accountId)),
  ];
  let isOpened = false;
  for (const draft of drafts) if (await storeDraftIn(tx, deps, draft, now)) isOpened = true;
  return isOpened;
}

const MOST_REFRESHED = 1_000;

/** The money of a subject changes while its evidence does not, and the queue is sorted by it. */
async function refreshRisks({ db, clock }: OpenCasesDeps, signal: AbortSignal): Promise<void> {
  for (const one of await listQueue(db, { limit: MOST_REFRESHED })) {
    if (signal.aborted) return;
    const riskKopecks = await readRisk(db, one, clock.now());
    if (riskKopecks !== one.riskKopecks) await updateRisk(db, one.id, riskKopecks);
  }
}
