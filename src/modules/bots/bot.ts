import { randomBytes } from 'node:crypto';

/** A publisher's bot. */
export interface Bot {
  readonly id: number;
  readonly accountId: number;
  readonly username: string;
  readonly isActive: boolean;
  /** Tasks per round when a request does not say. */
  readonly maxSponsors: number;
  readonly roundSeconds: number;
  /** What the publisher does not want to show. */
  readonly excludedOrderIds: ReadonlySet<number>;
  readonly excludedResourceTypes: ReadonlySet<string>;
  /** Whether a user of whom nothing is known gets one task through a link of ours. */
  readonly collectsProfiles: boolean;
}

export const MAX_SPONSORS = { min: 1, max: 50, default: 5 } as const;
export const ROUND_SECONDS = { min: 5 * 60, max: 72 * 60 * 60, default: 24 * 60 * 60 } as const;

/** What a token may do beyond the task flow. Granted by an operator only. */
export type Scope = 'beta';

const TOKEN_PREFIX = 'at_';
const MAX_TOKEN_LENGTH = 128;

export function generateToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString('base64url');
}

/** Cheap to answer, so that noise never reaches the database. */
export function looksLikeToken(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX) && text.length <= MAX_TOKEN_LENGTH;
}
