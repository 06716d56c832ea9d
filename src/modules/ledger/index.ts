export { foldTransfers, TRANSFER_DAYS } from './fold-transfers.ts';
export {
  available,
  escrow,
  external,
  hold,
  type LedgerAccount,
  type LedgerKind,
  movesMoney,
  payout,
  platform,
  type Transfer,
} from './ledger.ts';
export {
  latestTransfers,
  lockBalances,
  openAccounts,
  postTransfers,
  type RecordedTransfer,
  readBalances,
} from './store.ts';
export { type LedgerReport, verifyLedger } from './verify-ledger.ts';
