import { addSeconds } from '../../../core/clock.ts';
import { findResources } from '../../orders/index.ts';
import type { MembershipChecker } from '../membership.ts';
import { deleteDoubts, listDoubts } from './access-store.ts';
import { type AccessDeps, recordLostAccess } from './lost-access.ts';

const REPEAT_AFTER_SECONDS = 60;
const BATCH = 100;
const CHECK_TIMEOUT_MS = 5_000;

/** Repeats the membership checks for which Telegram denied our bot access. Returns how many were due. */
export async function verifyAccess(
  deps: AccessDeps & { readonly membershipChecker: MembershipChecker },
  signal?: AbortSignal,
): Promise<number> {
  const doubts = await listDoubts(deps.db, addSeconds(deps.clock.now(), -REPEAT_AFTER_SECONDS), BATCH);
  const resources = await findResources(
    deps.db,
    doubts.map(({ resourceId }) => resourceId),
  );
  for (const { resourceId, userId } of doubts) {
    if (signal?.aborted === true) break;
    const resource = resources.get(resourceId);
    const status = resource && (await deps.membershipChecker.checkInTurn(resource, userId, CHECK_TIMEOUT_MS));
    // Without a result the doubt stays for the next run.
    if (status === 'unavailable') continue;
    if (status === 'no_access') await recordLostAccess(deps, resourceId);
    await deleteDoubts(deps.db, [resourceId]);
  }
  return doubts.length;
}
