import { publishChanges } from '../../core/changes.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { type AllFigures, readFigures } from './figures-store.ts';
import { gatherTasks } from './gather-store.ts';
import { LEAST_COMPARED, marketOf } from './market.ts';
import { levelOf, type QualityLevel, type QualitySettings } from './quality.ts';
import { scoreSource } from './score.ts';
import { findSignals, storeSignals, withdrawCheckRequests } from './signal-store.ts';
import { hasScorableSource, lockLevels, type ScoredSource, storeScores } from './store.ts';
import { type LevelChange, tellOwners } from './tell-owners.ts';

/** What one run of scoring found. */
export interface ScoringReport {
  readonly sources: number;
  readonly users: number;
  readonly suspiciousUsers: number;
  readonly levels: Readonly<Record<QualityLevel, number>>;
  /** Sources whose computed level differs from that of the run before. */
  readonly changes: readonly LevelChange[];
}

const NOTHING: ScoringReport = {
  sources: 0,
  users: 0,
  suspiciousUsers: 0,
  levels: { new: 0, good: 0, watched: 0, low: 0 },
  changes: [],
};

/**
 * Computes the signals of users and the score of every source, and stores both. The caches of all processes reload the
 * scores when the transaction of the scores commits. `sliceTasks` is the number of tasks that one statement reads.
 */
export async function scoreSources({
  db,
  clock,
  settings,
  checkStrength,
  sliceTasks,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: QualitySettings;
  /** The suspicion from which users are led to the human check; undefined while it is off. */
  readonly checkStrength?: number | undefined;
  readonly sliceTasks?: number;
}): Promise<ScoringReport> {
  if (!settings.isOn) return NOTHING;
  const now = clock.now();
  // A service in which no bot ever had enough subscriptions has nothing to score.
  if (!(await hasScorableSource(db, settings.minSubscriptions))) return NOTHING;
  const { users, suspiciousUsers, figures } = await db.session('scoring', async (session) => {
    const users = await gatherTasks(session, now, sliceTasks);
    await findSignals(session, now);
    const suspiciousUsers = await storeSignals(session, now);
    if (checkStrength !== undefined) await withdrawCheckRequests(session, checkStrength);
    return { users, suspiciousUsers, figures: await readFigures(session, now) };
  });
  const { sources, changes } = await db.transaction((tx) => recordScores(tx, figures, { now, settings }));
  const levels = { new: 0, good: 0, watched: 0, low: 0 };
  for (const { level } of sources) levels[level] += 1;
  return { sources: sources.length, users, suspiciousUsers, levels, changes };
}

/** Scores the sources by their figures, stores the scores, and tells the owners of changed levels. */
async function recordScores(
  tx: Transaction,
  { sources: figures, advertisers }: AllFigures,
  { now, settings }: { readonly now: Date; readonly settings: QualitySettings },
): Promise<{ readonly sources: readonly ScoredSource[]; readonly changes: readonly LevelChange[] }> {
  const before = await lockLevels(tx);
  const market = marketOf(
    [...figures.values()].filter((one) => one.subscriptions >= LEAST_COMPARED),
    advertisers,
  );
  const sources = [...figures].map(([botId, one]): ScoredSource => {
    if (one.volume < settings.minSubscriptions) return { botId, score: null, level: 'new', reasons: [], figures: one };
    const { score, reasons } = scoreSource(one, market);
    return { botId, score, level: levelOf(score, settings, before.get(botId)?.level), reasons, figures: one };
  });
  const overridden = await storeScores(tx, sources, now);
  const levels = new Map<number, QualityLevel>(sources.map(({ botId, level }) => [botId, level]));
  // A bot without a task in the last days has no figures: it becomes new again.
  for (const botId of before.keys()) if (!levels.has(botId)) levels.set(botId, 'new');
  const changes = [...levels].flatMap(([botId, to]): LevelChange[] => {
    const from = before.get(botId)?.level ?? 'new';
    return from === to ? [] : [{ botId, from, to }];
  });
  const effective = changes.filter(({ botId }) => before.get(botId)?.isOverridden !== true && !overridden.has(botId));
  await publishChanges(tx, { kind: 'quality' });
  await tellOwners(tx, effective, { settings, now });
  return { sources, changes };
}
