import type { Transaction } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import type { QualityLevel } from './quality.ts';
import { findOwners } from './store.ts';

export interface LevelChange {
  readonly botId: number;
  readonly from: QualityLevel;
  readonly to: QualityLevel;
}

/** Tells owners about levels that change something: every worse one, and the way back to good. */
export async function tellOwners(tx: Transaction, changes: readonly LevelChange[], now: Date): Promise<void> {
  const news = new Map<number, 'good' | 'watched' | 'low'>();
  for (const { botId, from, to } of changes) {
    if (to === 'watched' || to === 'low') news.set(botId, to);
    if (to === 'good' && from !== 'new') news.set(botId, to);
  }
  if (news.size === 0) return;
  const notices = (await findOwners(tx, [...news.keys()])).flatMap(({ botId, accountId, username }) => {
    const level = news.get(botId);
    return level === undefined
      ? []
      : [{ accountId, kind: 'source_level' as const, data: { bot_id: botId, username, level } }];
  });
  await recordNotices(tx, notices, now);
}
