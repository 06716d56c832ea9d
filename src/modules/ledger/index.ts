export {
  available,
  escrow,
  external,
  GENERAL_PLATFORM,
  hold,
  type LedgerAccount,
  type LedgerKind,
  payout,
  platform,
} from './account.ts';
export { foldTransfers, TRANSFER_DAYS } from './fold-transfers.ts';
export {
  type FoldedSum,
  latestTransfers,
  listTransfersOf,
  lockBalances,
  type OwnerTransfer,
  openAccounts,
  postTransfers,
  readBalances,
  readPlatformBalance,
  type TransferFilter,
} from './store.ts';
export {
  contestPrizeTransfer,
  countedTransfers,
  debitTransfer,
  depositTransfer,
  movesMoney,
  OWNER_TRANSFER_KINDS,
  type OwnerTransferKind,
  orderFundedTransfer,
  orderRefundedTransfer,
  orderToppedUpTransfer,
  payoutRequestedTransfer,
  payoutReturnedTransfer,
  payoutSentTransfer,
  reversedTransfers,
  rewardReleasedTransfer,
  type Transfer,
  type TransferReferences,
} from './transfer.ts';
export { type LedgerReport, verifyLedger } from './verify-ledger.ts';
