import { banUser, unbanUser } from '../audience/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

/** Gives no more tasks to a user of any bot, and counts none. Answers whether the user was not banned before. */
export async function banUserId(
  deps: DeskDeps,
  decision: ByOperator & { readonly userId: number; readonly reason: string },
): Promise<boolean> {
  const { userId, reason } = decision;
  return deps.db.transaction(async (tx) => {
    const isNew = await banUser(tx, { userId, reason, at: deps.clock.now() });
    if (isNew) await writeDown(deps, decision, 'user.banned', { kind: 'user', id: userId }, { reason })(tx);
    return isNew;
  });
}

/** Answers whether the user was banned before. */
export async function unbanUserId(
  deps: DeskDeps,
  decision: ByOperator & { readonly userId: number },
): Promise<boolean> {
  const { userId } = decision;
  return deps.db.transaction(async (tx) => {
    const wasBanned = await unbanUser(tx, userId);
    if (wasBanned) await writeDown(deps, decision, 'user.unbanned', { kind: 'user', id: userId })(tx);
    return wasBanned;
  });
}
