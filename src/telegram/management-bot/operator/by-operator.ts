import type { Html } from '../../../core/html.ts';
import { findAccount } from '../../../modules/accounts/index.ts';
import type { ByOperator } from '../../../modules/operators/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';

/** Who decides, for the record. */
export const by = ({ person }: BotContext): ByOperator => ({ operatorId: person.telegramUserId });

/** Whose something is, with a way to write to them. */
export async function ownerLine({ db }: ManagementBotDeps, ctx: BotContext, accountId: number): Promise<Html> {
  const account = await findAccount(db, accountId);
  return ctx.texts.operator.owner({
    accountId,
    name: account?.name ?? '?',
    userId: account?.telegramUserId ?? 0,
    isBanned: account !== undefined && account.bannedAt !== null,
  });
}
