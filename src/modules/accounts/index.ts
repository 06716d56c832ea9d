export { type OnceOnlyRequest, onceOnly } from './once-only.ts';
export { deposit, openAccount } from './open-account.ts';
export {
  type Account,
  findAccount,
  findAccountByTelegramUser,
  listAccounts,
  setLanguage,
  setMuted,
} from './store.ts';
