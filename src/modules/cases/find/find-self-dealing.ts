import type { Queryable } from '../../../core/database.ts';
import { sumKopecks } from '../../../core/money.ts';
import { buildGraph } from '../build-graph.ts';
import { type CaseDraft, type Evidence, NO_EVIDENCE } from '../case.ts';
import { listSharedThings, nameAccounts, readTaskExamples } from '../evidence-store.ts';
import { isSelfDealing } from '../rules.ts';
import { type Dealing, listDealings } from '../suspects-store.ts';
import type { Period } from './period.ts';

/** Returns a draft for each account whose bots connected accounts paid. */
export async function findSelfDealing(
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
