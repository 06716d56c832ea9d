import { publishChanges } from '../../core/changes.ts';
import { addDays } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import { type Kopecks, sumKopecks } from '../../core/money.ts';
import { liftFreeze, saveFreeze } from '../accounts/index.ts';
import { findBot } from '../bots/index.ts';
import {
  type Case,
  type CaseStatus,
  canReverse,
  disconnect,
  findCase,
  findOtherHeld,
  isUndecided,
  lockCase,
  type OverrideLevel,
  reconnect,
  saveDecision,
  saveFroze,
  saveModerated,
  saveOverride,
} from '../cases/index.ts';
import { recordNotices } from '../notices/index.ts';
import { findQuality, lockLevel, type QualityLevel, type QualitySettings, tellOwners } from '../quality/index.ts';
import { MOST_REVERSED, type Selection, summarizeSelection } from '../tasks/index.ts';
import { type ByOperator, type Decision, decide, type OperatorDeps } from './decide.ts';
import { type BanOutcome, banIn } from './decide-account.ts';
import { reverseSubscriptions } from './decide-order.ts';

type CaseDecision = ByOperator & { readonly caseId: number; readonly reason: string };

export type CaseOutcome =
  | { readonly kind: 'done' }
  /** Another operator was faster, or the button was pressed twice. */
  | { readonly kind: 'already_decided'; readonly status: CaseStatus }
  /** The account belongs to an operator, who cannot be banned. */
  | { readonly kind: 'is_operator' }
  /** A case of this kind has no rewards to reverse. */
  | { readonly kind: 'not_reversible' }
  | { readonly kind: 'not_found' };

/** Runs a decision about a case that is still undecided, under its lock. */
function decideCase(
  deps: OperatorDeps,
  decision: CaseDecision,
  status: Exclude<CaseStatus, 'open'>,
  apply: (found: Case, parts: Decision) => Promise<CaseOutcome>,
): Promise<CaseOutcome> {
  const { caseId, operatorId, reason } = decision;
  return decide(deps, decision, async (parts) => {
    const { tx, at, log } = parts;
    const found = await lockCase(tx, caseId);
    if (found === undefined) return { kind: 'not_found' };
    const isRepeat = !isUndecided(found.status) || found.status === status;
    if (isRepeat) return { kind: 'already_decided', status: found.status };
    const outcome = await apply(found, parts);
    if (outcome.kind !== 'done') return outcome;
    await saveDecision(tx, { caseId, status, operatorId, reason, at });
    await log(`case.${status}`, caseId, { accountId: found.accountId, reason });
    const data = { case_id: caseId, case_kind: found.kind, decision: status, reason };
    await recordNotices(tx, [{ accountId: found.accountId, kind: 'case_decided', data }], at);
    return outcome;
  });
}

/** Closes the case without a consequence, and undoes what the case itself caused. */
export function clearCase(deps: OperatorDeps, decision: CaseDecision): Promise<CaseOutcome> {
  return decideCase(deps, decision, 'cleared', async (found, { tx, at }) => {
    await releaseFreeze(tx, found);
    const { kind, subject, accountId, evidence } = found;
    // The operator has seen the resource as it is now, and that these accounts have different owners.
    if (kind === 'resource_changed') await saveModerated(tx, subject.id, at);
    if (kind === 'self_dealing') {
      await disconnect(tx, { accountId, otherIds: evidence.account_ids, at });
      await publishChanges(tx, { kind: 'connections' });
    }
    return { kind: 'done' };
  });
}

/** Freezes the withdrawals of the account and keeps the case undecided. */
export function holdCase(deps: OperatorDeps, decision: CaseDecision): Promise<CaseOutcome> {
  return decideCase(deps, decision, 'held', async ({ id, accountId }, { tx, at }) => {
    // An earlier freeze stays the operator's who made it.
    const isFrozenByCase = await saveFreeze(tx, { accountId, reason: decision.reason, at });
    if (isFrozenByCase) await saveFroze(tx, id, true);
    return { kind: 'done' };
  });
}

/** Bans the account and freezes its withdrawals: an approved payout would leave otherwise. Unbanning keeps the freeze. */
export function banForCase(
  deps: OperatorDeps & { readonly operatorIds: ReadonlySet<number> },
  decision: CaseDecision,
): Promise<CaseOutcome> {
  return decideCase(deps, decision, 'banned', async (found, parts) => {
    const { accountId } = found;
    const outcome: BanOutcome = await banIn(parts, deps.operatorIds, { accountId, reason: decision.reason });
    if (outcome.kind === 'is_operator' || outcome.kind === 'not_found') return { kind: outcome.kind };
    await saveFreeze(parts.tx, { accountId, reason: decision.reason, at: parts.at });
    if (found.frozeAccount) await saveFroze(parts.tx, found.id, false);
    return { kind: 'done' };
  });
}

/** Lifts the freeze that this case made, or passes it on to another held case of the account. */
async function releaseFreeze(tx: Transaction, found: Case): Promise<void> {
  if (!found.frozeAccount) return;
  await saveFroze(tx, found.id, false);
  const otherId = await findOtherHeld(tx, found);
  if (otherId === undefined) await liftFreeze(tx, found.accountId);
  else await saveFroze(tx, otherId, true);
}

export type ReverseCaseOutcome =
  | { readonly kind: 'reversed'; readonly count: number; readonly rewardKopecks: Kopecks }
  | Exclude<CaseOutcome, { kind: 'done' }>;

/**
 * Decides the case and reverses its subscriptions. The decision comes first, so that of two operators one reverses. The
 * subscriptions follow in parts, each with a key of its own: after a crash, the same button continues. A freeze ends after
 * the last part, so that no payout leaves with the rewards.
 */
export async function reverseCase(deps: OperatorDeps, decision: CaseDecision): Promise<ReverseCaseOutcome> {
  const outcome = await decideCase(deps, decision, 'reversed', async (found) =>
    canReverse(found) ? { kind: 'done' } : { kind: 'not_reversible' },
  );
  const isRepeat = outcome.kind === 'already_decided' && outcome.status === 'reversed';
  if (outcome.kind !== 'done' && !isRepeat) return outcome;
  const found = await findCase(deps.db, decision.caseId);
  if (found === undefined) return { kind: 'not_found' };
  let count = 0;
  let rewardKopecks = 0n;
  for (const selection of selectionsOf(found, deps.clock.now())) {
    const part = await reverseSelection(deps, decision, selection);
    count += part.count;
    rewardKopecks += part.rewardKopecks;
  }
  await deps.db.transaction(async (tx) => {
    const locked = await lockCase(tx, decision.caseId);
    if (locked !== undefined) await releaseFreeze(tx, locked);
  });
  if (isRepeat && count === 0) return outcome;
  return { kind: 'reversed', count, rewardKopecks };
}

/** More parts than any selection has; ends the loop when a part fails to progress. */
const MOST_PARTS = 1_000;

async function reverseSelection(
  deps: OperatorDeps,
  { operatorId, caseId, reason }: CaseDecision,
  selection: Selection,
): Promise<{ count: number; rewardKopecks: Kopecks }> {
  let count = 0;
  let rewardKopecks = 0n;
  for (let part = 0; part < MOST_PARTS; part++) {
    const key = ['case', caseId, selection.botId ?? '', selection.orderId ?? '', part].join(':');
    const outcome = await reverseSubscriptions(deps, { operatorId, reason, selection, key });
    if (outcome.kind === 'already_done') continue;
    if (outcome.kind === 'nothing') break;
    count += outcome.count;
    rewardKopecks += outcome.rewardKopecks;
    if (outcome.count < MOST_REVERSED) break;
  }
  return { count, rewardKopecks };
}

/** How far a reversal reaches back before the case was opened. */
const REVERSED_DAYS = 30;

/** Returns the subscriptions that a reversal of the case would take back. */
function selectionsOf({ subject, evidence, openedAt, decidedAt }: Case, now: Date): Selection[] {
  const period = { from: addDays(openedAt, -REVERSED_DAYS), until: decidedAt ?? now };
  if (subject.type === 'bot') return [{ ...period, botId: subject.id, orderId: null }];
  return evidence.pairs.map(({ bot_id: botId, order_id: orderId }) => ({ ...period, botId, orderId }));
}

/** Returns what a reversal of the case would take back. */
export async function previewReversal(
  { db, clock }: OperatorDeps,
  found: Case,
): Promise<{ readonly count: number; readonly rewardKopecks: Kopecks; readonly settledKopecks: Kopecks }> {
  const parts = [];
  for (const selection of selectionsOf(found, clock.now())) parts.push(await summarizeSelection(db, selection));
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    rewardKopecks: sumKopecks(parts.map((part) => part.rewardKopecks)),
    settledKopecks: sumKopecks(parts.map((part) => part.settledKopecks)),
  };
}

export type OverrideOutcome = { readonly kind: 'done' | 'unchanged' | 'not_found' };

/** Replaces the computed quality level of a bot and tells its owner; `null` restores the computed one. */
export function overrideQuality(
  deps: OperatorDeps & { readonly qualitySettings: QualitySettings },
  decision: ByOperator & { readonly botId: number; readonly level: OverrideLevel | null; readonly reason: string },
): Promise<OverrideOutcome> {
  const { botId, level, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    if ((await findBot(tx, botId)) === undefined) return { kind: 'not_found' };
    const effectiveLevel = async (): Promise<QualityLevel> =>
      (await findQuality(tx, [botId])).get(botId)?.level ?? 'new';
    await lockLevel(tx, botId);
    const from = await effectiveLevel();
    if (!(await saveOverride(tx, { botId, level, reason, at }))) return { kind: 'unchanged' };
    if (level === null) await log('quality.restored', botId, { reason });
    else await log('quality.overridden', botId, { name: level, reason });
    await publishChanges(tx, { kind: 'quality' });
    const change = { botId, from, to: await effectiveLevel() };
    await tellOwners(tx, [change], { settings: deps.qualitySettings, now: at, isByOperator: true });
    return { kind: 'done' };
  });
}

/** Decides that two accounts have different owners, or takes that decision back. Returns whether it changed anything. */
export function changeConnection(
  deps: OperatorDeps,
  decision: ByOperator & { readonly accountId: number; readonly otherId: number; readonly isConnected: boolean },
): Promise<boolean> {
  const { accountId, otherId, isConnected } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const isChanged = isConnected
      ? await reconnect(tx, accountId, otherId)
      : (await disconnect(tx, { accountId, otherIds: [otherId], at })) > 0;
    if (!isChanged) return false;
    await log(isConnected ? 'account.connected' : 'account.disconnected', accountId, { accountId: otherId });
    await publishChanges(tx, { kind: 'connections' });
    return true;
  });
}
