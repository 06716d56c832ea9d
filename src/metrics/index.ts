export { createMetrics, type Metrics } from './metrics.ts';
export { createLedgerWatch } from './watch-ledger.ts';
