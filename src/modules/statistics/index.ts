export { reportBalance } from './reports.ts';
