import type { Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { available, external, hold, openAccounts, postTransfers } from '../ledger/index.ts';
import { type Account, findAccountByTelegramUser, insertAccount } from './store.ts';

/** The account of a Telegram user, opened on first contact together with the ledger accounts that it will need. */
export async function openAccount(
  tx: Transaction,
  { telegramUserId, name, at }: { telegramUserId: number; name: string; at: Date },
): Promise<Account> {
  const account =
    (await insertAccount(tx, { telegramUserId, name, at })) ?? (await findAccountByTelegramUser(tx, telegramUserId));
  if (account === undefined) throw new Error('an account vanished while it was being opened');
  await openAccounts(tx, [available(account.id), hold(account.id), external(account.id)]);
  return account;
}

/** Money from outside. `key` names the incoming payment, so that a repeated notice of it credits nothing. */
export async function deposit(
  tx: Transaction,
  { accountId, amountKopecks, key, at }: { accountId: number; amountKopecks: Kopecks; key: string; at: Date },
): Promise<void> {
  await postTransfers(
    tx,
    [{ key: `deposit:${key}`, from: external(accountId), to: available(accountId), amountKopecks }],
    at,
  );
}
