export { liftBan, lockBan, saveBan } from './ban-store.ts';
export { listDebtors } from './debtors-store.ts';
export { ANSWER_DAYS, forgetAnswers } from './forget-answers.ts';
export { type Freeze, findFreeze, liftFreeze, saveFreeze } from './freeze-store.ts';
export { type Funds, lockFunds, readFunds } from './funds-store.ts';
export { onceOnly } from './once-only.ts';
export { deposit, openAccount } from './open-account.ts';
export { countRecipients, listRecipients, type Recipient } from './recipients-store.ts';
export {
  type AccountSummary,
  findAccountSummary,
  findAccountsByNumber,
  listAccountsPage,
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
