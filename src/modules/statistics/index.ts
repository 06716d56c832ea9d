export type { DaysScope } from './days-store.ts';
export { forgetShown, SHOWN_DAYS } from './forget-shown.ts';
export {
  type HistoryEntry,
  type HistoryPage,
  listHistory,
  listUpcomingReleases,
  type UpcomingReleases,
} from './list-history.ts';
export { closePlatformDays, readPlatform } from './platform-stats.ts';
export type { PlatformFigures } from './platform-store.ts';
export {
  type AdvertiserDay,
  type ConversionDay,
  MAX_DAYS,
  type Period,
  reportAccountDays,
  reportAdvertiserDays,
  reportBotDays,
  reportConversion,
  reportOrderDays,
} from './report-days.ts';
export { type Overview, reportOverview } from './report-overview.ts';
export { reportSources, type SourceReport } from './report-sources.ts';
export { type Retention, readBotOrders } from './sources-store.ts';
export { botTotals, countOpenItems, listDaySubscriptions, type ReleaseUnit } from './store.ts';
