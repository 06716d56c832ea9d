import { addSeconds, type Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { recordNotices } from '../../notices/index.ts';
import { findResources, pauseForLostAccess, type Resource } from '../../orders/index.ts';
import type { MembershipChecker } from '../membership.ts';
import { deleteDoubts, insertDoubts, keepTasksOfResource, listDoubts } from './access-store.ts';

export interface AccessDeps {
  readonly db: Database;
  readonly clock: Clock;
  /**
   * Gives a channel to another of our bots that is an administrator there already. Returns false when there is none.
   * Absent: only the management bot checks.
   */
  readonly replaceChecker?: ((resource: Resource) => Promise<boolean>) | undefined;
  /** Returns the name of a checker bot, for the notice. */
  readonly checkerName?: ((checkerId: number) => string | undefined) | undefined;
}

/** Stores that Telegram denied our bot access once. Such replies are often wrong, so a job checks again later. */
export async function reportDeniedAccess(
  { db, clock }: AccessDeps,
  resources: readonly Pick<Resource, 'id'>[],
  userId: number,
): Promise<void> {
  const resourceIds = [...new Set(resources.map(({ id }) => id))];
  await insertDoubts(db, { resourceIds, userId, now: clock.now() });
}

/** Pauses the orders of a resource that our bot can no longer check. Publishers keep their unsettled rewards. */
export async function recordLostAccess({ db, clock, checkerName }: AccessDeps, resourceId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const now = clock.now();
    await keepTasksOfResource(tx, resourceId, now);
    const paused = await pauseForLostAccess(tx, resourceId);
    const notices = paused.map(({ id, accountId, title, resource }) => {
      const checker = resource.checkerId == null ? undefined : checkerName?.(resource.checkerId);
      return {
        accountId,
        kind: 'order_paused' as const,
        data: { order_id: id, title, is_bot: resource.type === 'bot', ...(checker !== undefined && { checker }) },
      };
    });
    await recordNotices(tx, notices, now);
  });
}

/** Another bot takes the channel over where it can; otherwise its orders pause. */
export async function replaceOrPause(deps: AccessDeps, resource: Resource): Promise<void> {
  if ((await deps.replaceChecker?.(resource)) !== true) await recordLostAccess(deps, resource.id);
}

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
    if (status === 'no_access' && resource !== undefined) await replaceOrPause(deps, resource);
    await deleteDoubts(deps.db, [resourceId]);
  }
  return doubts.length;
}
