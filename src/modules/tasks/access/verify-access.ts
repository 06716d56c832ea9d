import { addSeconds, type Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { findResources } from '../../orders/index.ts';
import type { MembershipChecker } from '../membership.ts';
import { deleteDoubts, listDoubts } from './access-store.ts';
import type { AccessWatch } from './lost-access.ts';

export interface VerifyAccessDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly membershipChecker: MembershipChecker;
  readonly access: AccessWatch;
}

/** How long after the first answer the question is repeated. */
const REPEAT_AFTER_SECONDS = 60;
const BATCH = 100;
const CHECK_TIMEOUT_MS = 5_000;

/** The job: repeats the questions to which Telegram answered that our bot has no access. Returns how many it asked. */
export async function verifyAccess(deps: VerifyAccessDeps, signal?: AbortSignal): Promise<number> {
  const doubts = await listDoubts(deps.db, addSeconds(deps.clock.now(), -REPEAT_AFTER_SECONDS), BATCH);
  const resources = await findResources(
    deps.db,
    doubts.map(({ resourceId }) => resourceId),
  );
  for (const { resourceId, userId } of doubts) {
    if (signal?.aborted === true) break;
    const resource = resources.get(resourceId);
    const verdict = resource && (await deps.membershipChecker.checkInTurn(resource, userId, CHECK_TIMEOUT_MS));
    // Without an answer the doubt stands, and the next run asks again.
    if (verdict === 'unavailable') continue;
    if (resource !== undefined && verdict === 'no_access') await deps.access.lost([resource]);
    await deleteDoubts(deps.db, [resourceId]);
  }
  return doubts.length;
}
