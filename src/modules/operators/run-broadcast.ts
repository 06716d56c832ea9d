import { type StartBroadcastOutcome, startBroadcast, stopBroadcast } from '../broadcasts/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

export interface BroadcastDecision extends ByOperator {
  /** Names the request, so that one sent twice is sent once. */
  readonly key: string;
  readonly textRu: string;
  readonly textEn: string;
}

export async function beginBroadcast(deps: DeskDeps, decision: BroadcastDecision): Promise<StartBroadcastOutcome> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const outcome = await startBroadcast(tx, { ...decision, at });
    if (outcome.kind === 'started' && !outcome.isRepeat) {
      const subject = { kind: 'broadcast', id: outcome.broadcast.id } as const;
      await writeDown(deps, decision, 'broadcast.started', subject)(tx);
    }
    return outcome;
  });
}

/** Nobody who has not got it yet gets it. Answers whether it was still going out. */
export async function endBroadcast(
  deps: DeskDeps,
  decision: ByOperator & { readonly broadcastId: number },
): Promise<boolean> {
  const { broadcastId: id } = decision;
  return deps.db.transaction(async (tx) => {
    const isStopped = await stopBroadcast(tx, id, deps.clock.now());
    if (isStopped) await writeDown(deps, decision, 'broadcast.stopped', { kind: 'broadcast', id })(tx);
    return isStopped;
  });
}
