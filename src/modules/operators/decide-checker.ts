import type { Queryable } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { listCheckers, type NewChecker, removeChecker, saveChecker } from '../checkers/index.ts';
import { readCheckLoads } from '../orders/index.ts';
import { type ByOperator, decide, type OperatorDeps } from './decide.ts';

/** Adds a checker bot, or gives a known one its new token. Telegram was asked about the token before. */
export function addChecker(
  deps: OperatorDeps & { readonly secrets: Secrets },
  decision: ByOperator & { readonly checker: NewChecker },
): Promise<'added' | 'replaced'> {
  const { checker } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await saveChecker(tx, { secrets: deps.secrets, at }, checker);
    await log('checker.added', checker.botId, { name: `@${checker.username}` });
    return outcome;
  });
}

/** Stops a checker bot. Returns false when it is stopped already. */
export function dropChecker(deps: OperatorDeps, decision: ByOperator & { readonly botId: number }): Promise<boolean> {
  const { botId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const name = (await listCheckers(tx)).find((checker) => checker.botId === botId)?.username;
    const isRemoved = await removeChecker(tx, botId, at);
    if (isRemoved) await log('checker.removed', botId, name === undefined ? {} : { name: `@${name}` });
    return isRemoved;
  });
}

export interface CheckerDescription {
  readonly botId: number;
  readonly username: string;
  readonly addedAt: Date;
  /** `conflict`: another program receives its updates; `revoked`: Telegram refuses its token. */
  readonly state: 'works' | 'conflict' | 'revoked' | 'removed';
  /** Channels with open orders that it checks. */
  readonly channels: number;
  /** Subscriptions that it has still to check. */
  readonly checks: number;
}

export async function describeCheckers(db: Queryable): Promise<CheckerDescription[]> {
  const checkers = await listCheckers(db);
  const loads = new Map((await readCheckLoads(db)).map((load) => [load.checkerId, load]));
  return checkers.map(({ botId, username, addedAt, conflictAt, stopReason }) => ({
    botId,
    username,
    addedAt,
    state: stopReason ?? (conflictAt === null ? 'works' : 'conflict'),
    channels: loads.get(botId)?.channels ?? 0,
    checks: loads.get(botId)?.checks ?? 0,
  }));
}
