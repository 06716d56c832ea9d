import { businessDay, type Clock, DAY_MS } from '../../core/clock.ts';
import type { Database, Queryable, Transaction } from '../../core/database.ts';
import { type Kopecks, sumKopecks } from '../../core/money.ts';
import { recordNotices, recordOperatorNotices } from '../notices/index.ts';
import { buildGraph } from './build-graph.ts';
import { type Case, type CaseDraft, type Evidence, NO_EVIDENCE } from './case.ts';
import {
  listSharedByUsers,
  listSharedThings,
  nameAccounts,
  readBotExamples,
  readBotTotals,
  readMoney,
  readTaskExamples,
} from './evidence-store.ts';
import {
  canReopen,
  findChanges,
  isAccessFraud,
  isApprovalFraud,
  isLargePayout,
  isRemovalFraud,
  isSelfDealing,
  PERIOD_DAYS,
  publisherRisk,
} from './rules.ts';
import { insertCase, listQueue, lockLatestCase, updateCase, updateRisk } from './store.ts';
import {
  completeModerated,
  type Dealing,
  listApprovals,
  listChangedOrders,
  listDealings,
  listLostAccess,
  listLowSources,
  listRemovals,
  listUnjudgedPayouts,
  type UnjudgedPayout,
} from './suspects-store.ts';

export interface OpenCasesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly operatorIds: ReadonlySet<number>;
  /** Payouts above it open a case; 0: none does. */
  readonly payoutReviewAboveKopecks: Kopecks;
  /** Whether the quality of sources is scored. */
  readonly isScoring: boolean;
}

/** What a rule judges. */
interface Period {
  readonly isScoring: boolean;
  readonly since: Date;
  readonly sinceDay: string;
}

function periodBefore(now: Date): Omit<Period, 'isScoring'> {
  const since = new Date(now.getTime() - PERIOD_DAYS * DAY_MS);
  return { since, sinceDay: businessDay(since) };
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

async function findLowSources(db: Queryable, { since, sinceDay, isScoring }: Period): Promise<CaseDraft[]> {
  const drafts: CaseDraft[] = [];
  for (const { botId, accountId, score, reasons } of await listLowSources(db, isScoring)) {
    const [totals, examples, shared] = await Promise.all([
      readBotTotals(db, botId, sinceDay),
      readBotExamples(db, botId, since),
      listSharedByUsers(db, botId, since),
    ]);
    drafts.push({
      kind: 'low_quality',
      subject: { type: 'bot', id: botId },
      accountId,
      evidence: {
        ...NO_EVIDENCE,
        figures: {
          ...(score !== null && { score }),
          counted: totals.counted,
          reversed: totals.reversed,
          rewards_kopecks: Number(totals.rewardKopecks),
        },
        reasons,
        examples,
        graph: buildGraph(shared, { type: 'user', nameOf: String }),
      },
    });
  }
  return drafts;
}

async function findSelfDealing(
  db: Queryable,
  { since, sinceDay }: Pick<Period, 'since' | 'sinceDay'>,
  onlyAccountId?: number,
): Promise<CaseDraft[]> {
  const byAccount = Map.groupBy(await listDealings(db, sinceDay, onlyAccountId), ({ accountId }) => accountId);
  const drafts: CaseDraft[] = [];
  for (const [accountId, dealings] of byAccount) {
    const subscriptions = dealings.reduce((sum, dealing) => sum + dealing.subscriptions, 0);
    if (!isSelfDealing({ subscriptions })) continue;
    drafts.push({
      kind: 'self_dealing',
      subject: { type: 'account', id: accountId },
      accountId,
      evidence: await describeDealings(db, dealings, { subscriptions, since }),
    });
  }
  return drafts;
}

async function describeDealings(
  db: Queryable,
  dealings: readonly Dealing[],
  { subscriptions, since }: { subscriptions: number; since: Date },
): Promise<Evidence> {
  const others = [...new Set(dealings.map(({ advertiserId }) => advertiserId))];
  const accountIds = [...new Set(dealings.map(({ accountId }) => accountId)), ...others];
  const [examples, shared, names] = await Promise.all([
    readTaskExamples(db, {
      orderIds: dealings.map(({ orderId }) => orderId),
      botIds: dealings.map(({ botId }) => botId),
      only: 'counted',
      since,
    }),
    listSharedThings(db, accountIds),
    nameAccounts(db, accountIds),
  ]);
  return {
    ...NO_EVIDENCE,
    figures: {
      accounts: others.length,
      subscriptions,
      rewards_kopecks: Number(sumKopecks(dealings.map(({ rewardKopecks }) => rewardKopecks))),
    },
    examples,
    graph: buildGraph(shared, { type: 'account', nameOf: (id) => names.get(id) ?? String(id) }),
    pairs: dealings.map(({ botId, orderId }) => ({ bot_id: botId, order_id: orderId })),
    account_ids: others,
  };
}

async function findRemovals(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listRemovals(db, since)).filter(isRemovalFraud);
  return Promise.all(
    suspects.map(async ({ orderId, accountId, removed, counted }) => ({
      kind: 'removals' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: {
        ...NO_EVIDENCE,
        figures: { removed, counted },
        examples: await readTaskExamples(db, { orderIds: [orderId], only: 'removed', since }),
      },
    })),
  );
}

async function findLostAccess(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listLostAccess(db, since)).filter(isAccessFraud);
  return Promise.all(
    suspects.map(async ({ orderId, accountId, unsettled, nearWindowEnd, times }) => ({
      kind: 'access_withdrawn' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: {
        ...NO_EVIDENCE,
        figures: { unsettled, near_window_end: nearWindowEnd, times },
        examples: await readTaskExamples(db, { orderIds: [orderId], only: 'access_lost', since }),
      },
    })),
  );
}

async function findChangedResources(db: Queryable): Promise<CaseDraft[]> {
  return (await listChangedOrders(db)).flatMap(({ orderId, accountId, moderated, now }) => {
    const changes = findChanges(moderated, now);
    if (changes.length === 0) return [];
    return {
      kind: 'resource_changed' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: { ...NO_EVIDENCE, changes },
    };
  });
}

async function findLowApprovals(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listApprovals(db, since)).filter(isApprovalFraud);
  return Promise.all(
    suspects.map(async ({ orderId, accountId, rejected, approved }) => ({
      kind: 'low_approval' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: {
        ...NO_EVIDENCE,
        figures: { rejected, approved },
        examples: await readTaskExamples(db, { orderIds: [orderId], only: 'rejected', since }),
      },
    })),
  );
}

/** An owner could request many payouts below the limit, so those of one day count together with all that wait. */
async function findLargePayouts(
  db: Queryable,
  {
    payoutReviewAboveKopecks: limitKopecks,
    accountId,
  }: Pick<OpenCasesDeps, 'payoutReviewAboveKopecks'> & { readonly accountId?: number },
): Promise<CaseDraft[]> {
  if (limitKopecks <= 0n) return [];
  const payouts = await listUnjudgedPayouts(db, accountId);
  return [...Map.groupBy(payouts, (payout) => payout.accountId)].flatMap(([owner, group]) => {
    const sum = sumKopecks(group.map(({ amountKopecks }) => amountKopecks));
    if (!isLargePayout(sum, limitKopecks) || !group.some(({ isWaiting }) => isWaiting)) return [];
    return {
      kind: 'large_payout' as const,
      subject: { type: 'account' as const, id: owner },
      accountId: owner,
      evidence: describePayouts(group, limitKopecks),
    };
  });
}

const describePayouts = (payouts: readonly UnjudgedPayout[], limitKopecks: Kopecks): Evidence => ({
  ...NO_EVIDENCE,
  figures: {
    payouts: payouts.length,
    amount_kopecks: Number(sumKopecks(payouts.map(({ amountKopecks }) => amountKopecks))),
    limit_kopecks: Number(limitKopecks),
  },
  examples: payouts.slice(0, 20).map(({ id, amountKopecks, createdAt }) => ({
    at: createdAt.toISOString(),
    payout_id: id,
    kopecks: Number(amountKopecks),
  })),
  payout_ids: payouts.map(({ id }) => id),
});

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
