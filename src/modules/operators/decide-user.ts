import { banUser, unbanUser } from '../audience/index.ts';
import { grantBeta, revokeBeta } from '../bots/index.ts';
import { type ByOperator, decide, type OperatorDeps } from './decide.ts';

/** Bans a Telegram user: no bot shows them tasks or counts their subscriptions. Returns whether that changed anything. */
export function banUserId(
  deps: OperatorDeps,
  decision: ByOperator & { readonly userId: number; readonly reason: string },
): Promise<boolean> {
  const { userId, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const isNew = await banUser(tx, { userId, reason, at });
    if (isNew) await log('user.banned', userId, { reason });
    return isNew;
  });
}

/** Returns whether the user was banned before. */
export function unbanUserId(deps: OperatorDeps, decision: ByOperator & { readonly userId: number }): Promise<boolean> {
  const { userId } = decision;
  return decide(deps, decision, async ({ tx, log }) => {
    const wasBanned = await unbanUser(tx, userId);
    if (wasBanned) await log('user.unbanned', userId);
    return wasBanned;
  });
}

/** Grants or revokes beta access for all valid tokens of a bot. Returns how many tokens changed. */
export function changeBeta(
  deps: OperatorDeps,
  decision: ByOperator & { readonly botId: number; readonly isGranted: boolean },
): Promise<number> {
  const { botId, isGranted } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const count = await (isGranted ? grantBeta : revokeBeta)(tx, { botId, at });
    if (count > 0) await log(isGranted ? 'beta.granted' : 'beta.revoked', botId);
    return count;
  });
}
