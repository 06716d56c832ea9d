import type { Resource } from '../orders/index.ts';

/**
 * The result of a membership check.
 * - removed: an administrator removed the user
 * - no_access: Telegram denied our bot access to the chat; often wrong, so a job checks it again (access/)
 * - unavailable: no reply within the timeout; a later check may succeed
 */
export type MembershipStatus = 'member' | 'left' | 'removed' | 'no_access' | 'unavailable';

/** Asks Telegram whether a user is a member of a resource. `botId` is the publisher's bot whose check budget pays. */
export interface MembershipChecker {
  /** Checks now and waits for at most `timeoutMs`. */
  check(resource: Resource, userId: number, timeoutMs: number): Promise<MembershipStatus>;
  /**
   * Checks a user whose join an update reported. Returns `member` without a check when the budget is used up; otherwise
   * a busy minute would run into flood waits.
   */
  checkKnownMember(resource: Resource, userId: number, timeoutMs: number, botId: number): Promise<MembershipStatus>;
  /** Checks only when the bot's budget has a check left now; returns undefined otherwise. */
  checkIfAffordable(
    resource: Resource,
    userId: number,
    timeoutMs: number,
    botId: number,
  ): Promise<MembershipStatus> | undefined;
  /** Waits for its turn in the budget before it checks. For background work. */
  checkInTurn(resource: Resource, userId: number, timeoutMs: number): Promise<MembershipStatus>;
}
