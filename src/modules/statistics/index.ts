export { forgetShown, SHOWN_DAYS } from './forget-shown.ts';
export { type HistoryEntry, type HistoryPage, listHistory } from './list-history.ts';
export { listUpcomingReleases, type UpcomingReleases } from './list-upcoming-releases.ts';
export { closePlatformDays } from './platform-days.ts';
export { readPlatform } from './platform-stats.ts';
export type { PlatformFigures } from './platform-store.ts';
export { type ConversionDay, reportConversion } from './report-conversion.ts';
export {
  type AdvertiserDay,
  MAX_DAYS,
  type Period,
  type PublisherDay,
  reportAccountDays,
  reportAdvertiserDays,
  reportBotDays,
  reportOrderDays,
} from './report-days.ts';
export { type Overview, reportOverview } from './report-overview.ts';
export { reportSources, type SourceReport } from './report-sources.ts';

export type { Retention } from './sources-store.ts';
export { botTotals } from './store.ts';
