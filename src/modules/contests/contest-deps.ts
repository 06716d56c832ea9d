import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { ScoringRules } from './contest.ts';
import type { LiveStandings } from './live-standings.ts';

/** The dependencies and settings that the use cases of this module share. */
export interface ContestDeps extends ScoringRules {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether an operator has to approve the standings of a new contest before prizes are paid. */
  readonly needsApproval: boolean;
  /** One cache per process. */
  readonly liveStandings: LiveStandings;
}
