import { randomBytes } from 'node:crypto';

/** A publisher's bot. */
export interface Bot {
  readonly id: number;
  readonly accountId: number;
  readonly username: string;
  readonly isActive: boolean;
  /** Tasks per round when a request names no number. */
  readonly maxSponsors: number;
  readonly roundSeconds: number;
  /** Orders and resource types that the publisher does not show. */
  readonly excludedOrderIds: ReadonlySet<number>;
  readonly excludedResourceTypes: ReadonlySet<string>;
  /** Whether a user without profile data gets one task through a smart link. */
  readonly collectsProfiles: boolean;
  /** Whether a confirm of an unknown task returns a warning instead of the error 404 (decision 0091). */
  readonly warnsOfUnknownOrders: boolean;
}

export const MAX_SPONSORS = { min: 1, max: 50, default: 5 } as const;
export const ROUND_SECONDS = { min: 5 * 60, max: 72 * 60 * 60, default: 24 * 60 * 60 } as const;

/** Grants more than the task flow. Only an operator grants it. */
export type Scope = 'beta';

const TOKEN_PREFIX = 'at_';
const MAX_TOKEN_LENGTH = 128;

export function generateToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString('base64url');
}

/** Rejects other text cheaply, without a query. */
export function looksLikeToken(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX) && text.length <= MAX_TOKEN_LENGTH;
}
