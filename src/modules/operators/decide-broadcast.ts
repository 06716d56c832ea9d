import { type StartBroadcastOutcome, startBroadcast, stopBroadcast } from '../broadcasts/index.ts';
import { type ByOperator, decide, type OperatorDeps } from './decide.ts';

export interface BroadcastDecision extends ByOperator {
  /** Names the request, so that a repeat sends nothing. */
  readonly key: string;
  readonly textRu: string;
  readonly textEn: string;
}

export function beginBroadcast(deps: OperatorDeps, decision: BroadcastDecision): Promise<StartBroadcastOutcome> {
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await startBroadcast(tx, { ...decision, at });
    if (outcome.kind === 'started' && !outcome.isRepeat) await log('broadcast.started', outcome.broadcast.id);
    return outcome;
  });
}

/** Stops a broadcast: recipients who have not received it yet do not get it. Returns whether it was still being sent. */
export function endBroadcast(
  deps: OperatorDeps,
  decision: ByOperator & { readonly broadcastId: number },
): Promise<boolean> {
  const { broadcastId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const isStopped = await stopBroadcast(tx, broadcastId, at);
    if (isStopped) await log('broadcast.stopped', broadcastId);
    return isStopped;
  });
}
