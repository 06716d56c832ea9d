import type { Transaction } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import { changesLimits, type QualityLevel, type QualitySettings } from './quality.ts';
import { findOwners } from './store.ts';

export interface LevelChange {
  readonly botId: number;
  readonly from: QualityLevel;
  readonly to: QualityLevel;
}

interface TellOptions {
  readonly settings: QualitySettings;
  readonly now: Date;
  /** An operator's decision is told even if the limits stay the same: it shows on the page of the bot. */
  readonly isByOperator?: boolean;
}

/**
 * Tells owners about changes of the level that applies, when the limits of the source change with it. While scoring is
 * off no level applies, so no owner is told.
 */
export async function tellOwners(
  tx: Transaction,
  changes: readonly LevelChange[],
  { settings, now, isByOperator = false }: TellOptions,
): Promise<void> {
  if (!settings.isOn) return;
  const levels = new Map(
    changes
      .filter(({ from, to }) => from !== to && (isByOperator || changesLimits(from, to, settings)))
      .map(({ botId, to }) => [botId, to]),
  );
  if (levels.size === 0) return;
  const notices = (await findOwners(tx, [...levels.keys()])).flatMap(({ botId, accountId, username }) => {
    const level = levels.get(botId);
    return level === undefined
      ? []
      : [{ accountId, kind: 'source_level' as const, data: { bot_id: botId, username, level } }];
  });
  await recordNotices(tx, notices, now);
}
