export { type OrderTotals, orderTotals } from './store.ts';
export { reportBalance } from './reports.ts';
