export { forgetSignals } from './forget-signals.ts';
export {
  capOf,
  type QualityLevel,
  type QualitySettings,
  type SourceLimits,
  type SourceQuality,
  type UserLimits,
} from './quality.ts';
export { createQualityBook, NO_LIMITS, type QualityBook } from './quality-book.ts';
export { REASON_CODES } from './score.ts';
export { type ScoringReport, scoreSources } from './score-sources.ts';
export { USER_SIGNALS } from './signals.ts';
export { findStaysToCheck, recordStays, type StayToCheck } from './stay-store.ts';
export { findQuality, lockLevel } from './store.ts';
export { tellOwners } from './tell-owners.ts';
