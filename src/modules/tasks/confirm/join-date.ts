import { addSeconds, SECOND_MS } from '../../../core/clock.ts';
import type { Membership, Moment, UpdateLoss } from '../../audience/index.ts';
import type { Resource } from '../../orders/index.ts';
import type { Task } from '../task.ts';

/** As much of a task as dating its join takes. */
export type Showing = Pick<Task, 'shownAt' | 'wasOutside'>;

/**
 * When the user joined, as far as it is known: after the showing, which is paid for; before it, which is not; or
 * unknown, because no check was made at the showing and no update has told of the join yet.
 */
export type JoinDate = 'after' | 'before' | 'unknown';

export function dateJoin(
  { shownAt, wasOutside }: Showing,
  { type }: Pick<Resource, 'type'>,
  known: Pick<Membership, 'firstMemberAt' | 'joinedAt'> | undefined,
): JoinDate {
  const firstMemberAt = known?.firstMemberAt ?? null;
  if (firstMemberAt !== null && firstMemberAt < shownAt) return 'before';
  // No update tells who starts another bot. Its task is shown only after Telegram was asked, and no answer is no fault of the user.
  if (type === 'bot' || wasOutside) return 'after';
  const joinedAt = known?.joinedAt ?? null;
  return joinedAt !== null && joinedAt >= shownAt ? 'after' : 'unknown';
}

/** What is known of how updates reached us. */
export interface Hearing {
  readonly heard: Moment | undefined;
  readonly losses: readonly UpdateLoss[];
}

/** Longer without a word from Telegram's queue, and updates may be waiting there. */
const LISTENING_SECONDS = 120;

/** Whether every update was fetched that Telegram has. */
export function isListening({ heard }: Hearing, machineNow: Date): boolean {
  return heard !== undefined && machineNow.getTime() - heard.machineAt.getTime() <= LISTENING_SECONDS * SECOND_MS;
}

/** Whether an update of the user's join may be among those that were lost. */
export function mayHaveLostJoin(
  { shownAt, windowEndsAt }: Pick<Task, 'shownAt' | 'windowEndsAt'>,
  { losses }: Hearing,
): boolean {
  const until = windowEndsAt ?? addSeconds(shownAt, 0);
  return losses.some(({ startedAt, endedAt }) => endedAt >= shownAt && startedAt <= until);
}
