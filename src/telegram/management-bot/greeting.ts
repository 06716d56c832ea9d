import type { Context } from 'grammy';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { formatRubles } from '../../core/money.ts';
import { openAccount } from '../../modules/accounts/index.ts';
import { available, hold, readBalances } from '../../modules/ledger/index.ts';

/** The bot's answer to whatever it is told in private: opens the person's account and shows what is on it. */
export function greetWith(deps: { db: Database; clock: Clock }): (context: Context) => Promise<void> {
  return async (context) => {
    const person = context.from;
    if (person === undefined) return;
    const account = await deps.db.transaction((tx) =>
      openAccount(tx, { telegramUserId: person.id, name: person.first_name, at: deps.clock.now() }),
    );
    const balanceOf = await readBalances(deps.db, [available(account.id), hold(account.id)]);
    const balance = formatRubles(balanceOf(available(account.id)));
    const held = formatRubles(balanceOf(hold(account.id)));
    await context.reply(
      person.language_code === 'ru'
        ? `Здравствуйте! Ваш счёт №${account.id}. Доступно: ${balance}, в холде: ${held}.`
        : `Hello! Your account is no. ${account.id}. Available: ${balance}, in hold: ${held}.`,
    );
  };
}
