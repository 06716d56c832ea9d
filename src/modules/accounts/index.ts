export { type Funds, lockFunds, readFunds } from './funds-store.ts';
export { ANSWER_DAYS, forgetAnswers, onceOnly } from './once-only.ts';
export { deposit, openAccount } from './open-account.ts';
export { type Freeze, findFreeze, liftBan, liftFreeze, lockBan, saveBan, saveFreeze } from './restriction-store.ts';
export {
  type AccountSummary,
  countRecipients,
  findAccountSummary,
  findAccountsByNumber,
  listAccountsPage,
  listDebtors,
  listRecipients,
  type Recipient,
} from './search-store.ts';
export {
  type Account,
  findAccount,
  findAccountByTelegramUser,
  listAccounts,
  setLanguage,
  setMuted,
  setSeenLanguage,
} from './store.ts';
