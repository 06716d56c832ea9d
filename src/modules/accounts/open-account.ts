import type { Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { available, depositTransfer, external, hold, openAccounts, postTransfers } from '../ledger/index.ts';
import { type Account, findAccountByTelegramUser, insertAccount } from './store.ts';

/** Returns the account of a Telegram user. Opens it on first contact, together with its ledger accounts. */
export async function openAccount(
  tx: Transaction,
  { telegramUserId, name, at }: { telegramUserId: number; name: string; at: Date },
): Promise<Account> {
  const account =
    (await insertAccount(tx, { telegramUserId, name, at })) ?? (await findAccountByTelegramUser(tx, telegramUserId));
  if (account === undefined) throw new Error('an account disappeared while it was being opened');
  await openAccounts(tx, [available(account.id), hold(account.id), external(account.id)]);
  return account;
}

/** Credits money from outside. `key` identifies the payment, so that a repeat credits nothing. */
export async function deposit(
  tx: Transaction,
  payment: { accountId: number; amountKopecks: Kopecks; key: string; at: Date },
): Promise<void> {
  await postTransfers(tx, [depositTransfer(payment)], payment.at);
}
