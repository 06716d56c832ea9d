import type { Html } from '../../../core/html.ts';
import { findAccount } from '../../../modules/accounts/index.ts';
import type { ByOperator } from '../../../modules/operators/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';

/** Returns the operator for the audit log. */
export const by = ({ person }: BotContext): ByOperator => ({ operatorId: person.telegramUserId });

/** Returns the line that names an owner and links to their chat. */
export async function ownerLine({ db }: ManagementBotDeps, ctx: BotContext, accountId: number): Promise<Html> {
  const account = await findAccount(db, accountId);
  return ctx.texts.operator.owner({
    accountId,
    name: account?.name ?? '?',
    userId: account?.telegramUserId ?? 0,
    isBanned: account !== undefined && account.bannedAt !== null,
  });
}
