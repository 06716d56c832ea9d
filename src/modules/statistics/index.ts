export { reportBalance } from './reports.ts';
export { type OrderTotals, orderTotals } from './store.ts';
