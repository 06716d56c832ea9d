export { createLedgerWatch, createMetrics, type Metrics } from './metrics.ts';
