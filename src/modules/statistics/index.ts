export { closePlatformDays } from './platform-days.ts';
export { reportBalance } from './reports.ts';
