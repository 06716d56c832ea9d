import type { Queryable } from '../../../core/database.ts';
import { buildGraph } from '../build-graph.ts';
import { type CaseDraft, NO_EVIDENCE } from '../case.ts';
import { listSharedByUsers, readBotExamples, readBotTotals } from '../evidence-store.ts';
import { listLowSources } from '../suspects-store.ts';
import type { Period } from './period.ts';

/** Returns a draft for each bot whose level is low. */
export async function findLowSources(db: Queryable, { since, sinceDay, isScoring }: Period): Promise<CaseDraft[]> {
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
