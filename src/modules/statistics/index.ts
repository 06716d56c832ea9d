export { forgetShown, SHOWN_DAYS } from './forget-shown.ts';
export { type HistoryEntry, type HistoryPage, listHistory } from './list-history.ts';
export { listUpcomingReleases, type UpcomingRelease, type UpcomingReleases } from './list-upcoming-releases.ts';
export { closePlatformDays } from './platform-days.ts';
export { readPlatform } from './platform-stats.ts';
export type { PlatformFigures, PlatformFiguresByPeriod } from './platform-store.ts';
export { type ConversionDay, reportConversion } from './report-conversion.ts';
export {
  type AdvertiserDay,
  type AdvertiserFigures,
  MAX_DAYS,
  type Period,
  type PublisherDay,
  type PublisherFigures,
  reportAccountDays,
  reportAdvertiserDays,
  reportBotDays,
  reportOrderDays,
} from './report-days.ts';
export { type ByPeriod, type Overview, reportOverview } from './report-overview.ts';
export { reportSources, type SourceReport } from './report-sources.ts';
export { reportBalance } from './reports.ts';
export type { Retention } from './sources-store.ts';
export { type BotTotals, botTotals } from './store.ts';
export { HISTORY_KINDS, type HistoryKind } from './transfer-kind.ts';
