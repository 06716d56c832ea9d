import { type ModerateOutcome, moderateOrder, type Verdict } from '../orders/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

/** An operator lets an order be shown, or refuses it. */
export async function decideOrder(
  deps: DeskDeps,
  decision: ByOperator & { readonly orderId: number; readonly verdict: Verdict },
): Promise<ModerateOutcome> {
  const { orderId, verdict } = decision;
  return deps.db.transaction(async (tx) => {
    const outcome = await moderateOrder(tx, { orderId, verdict, at: deps.clock.now() });
    if (outcome.kind === 'done') {
      const subject = { kind: 'order', id: orderId } as const;
      const { accountId } = outcome.order;
      const write =
        verdict.kind === 'approve'
          ? writeDown(deps, decision, 'order.approved', subject, { accountId })
          : writeDown(deps, decision, 'order.rejected', subject, { accountId, reason: verdict.reason });
      await write(tx);
    }
    return outcome;
  });
}
