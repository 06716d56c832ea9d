import type { Resource } from '../orders/index.ts';

/**
 * What Telegram says when asked whether a user belongs to a resource.
 * - removed: an administrator took the user out, so that the user does not belong there either
 * - no_access: our bot may not look any more, if a repeated question confirms it
 * - unavailable: no answer in the time allowed; asking later may
 */
export type MembershipVerdict = 'member' | 'left' | 'removed' | 'no_access' | 'unavailable';

export interface MembershipProbe {
  /** Asks now, for at most `timeoutMs`. */
  check(resource: Resource, userId: number, timeoutMs: number): Promise<MembershipVerdict>;
  /**
   * The same for a user whose joining Telegram has told us of: asks while the budget of checks lasts, and takes its word
   * beyond that. Otherwise a busy minute would be answered with flood waits.
   */
  checkKnownMember(resource: Resource, userId: number, timeoutMs: number, botId: number): Promise<MembershipVerdict>;
  /**
   * Asks only when the budget of checks has one left right now for this publisher's bot; otherwise there is nothing to
   * wait for.
   */
  checkIfAffordable(
    resource: Resource,
    userId: number,
    timeoutMs: number,
    botId: number,
  ): Promise<MembershipVerdict> | undefined;
  /** Waits for its turn in that budget before it asks. For work that nobody waits for. */
  checkInTurn(resource: Resource, userId: number, timeoutMs: number): Promise<MembershipVerdict>;
}
