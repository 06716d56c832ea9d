import { grantBeta, revokeBeta } from '../bots/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

/** Opens the beta endpoints to a bot's valid tokens, or closes them. Answers how many tokens those are. */
export async function changeBeta(
  deps: DeskDeps,
  decision: ByOperator & { readonly botId: number; readonly isGranted: boolean },
): Promise<number> {
  const { botId, isGranted } = decision;
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const count = await (isGranted ? grantBeta : revokeBeta)(tx, { botId, at });
    if (count > 0) {
      const action = isGranted ? 'beta.granted' : 'beta.revoked';
      await writeDown(deps, decision, action, { kind: 'bot', id: botId })(tx);
    }
    return count;
  });
}
