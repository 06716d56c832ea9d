import type { Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { sha256 } from '../../core/secrets.ts';
import { isAlive, looksLikeSecret, SEEN_EVERY_MS, type Session } from './session.ts';
import { deleteExpired, deleteSessions, findSessionByHash, listSessionsOf, saveSeen } from './store.ts';

interface SessionCheck {
  readonly operatorIds: ReadonlySet<number>;
  readonly at: Date;
}

/**
 * Returns the session of a token. Reads the database each time, so that a ban, a sign-out on another device or the loss
 * of operator rights takes effect with the next request.
 */
export async function findSession(
  db: Queryable,
  token: string | undefined,
  check: SessionCheck,
): Promise<Session | undefined> {
  if (!looksLikeSecret(token)) return undefined;
  const session = await findSessionByHash(db, sha256(token));
  if (session === undefined) return undefined;
  const { at } = check;
  if (!isValid(session, check)) {
    await deleteSessions(db, { accountId: session.owner.accountId, sessionId: session.id });
    return undefined;
  }
  if (at.getTime() - session.seenAt.getTime() >= SEEN_EVERY_MS) await saveSeen(db, session.id, at);
  return session;
}

function isValid(session: Session, { operatorIds, at }: SessionCheck): boolean {
  return isAlive(session, at) && (!session.isOperator || operatorIds.has(session.owner.telegramUserId));
}

const MAX_LISTED = 50;

/** Returns the valid sessions of an account, the last used first. */
export async function listSessions(
  db: Queryable,
  { accountId, ...check }: { accountId: number } & SessionCheck,
): Promise<Session[]> {
  return (await listSessionsOf(db, accountId, MAX_LISTED)).filter((session) => isValid(session, check));
}

/** Ends one session of an account, or all of them. Returns the number of ended sessions. */
export function endSessions(
  db: Queryable,
  which: { accountId: number; sessionId?: number | undefined },
): Promise<number> {
  return deleteSessions(db, which);
}

const AT_ONCE = 1_000;
const MOST_ROUNDS = 100;

/** Deletes expired sessions and used init data. Returns the number of deleted rows. */
export async function forgetSessions(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let round = 0; round < MOST_ROUNDS && signal?.aborted !== true; round++) {
    const gone = await deleteExpired(db, clock.now(), AT_ONCE);
    total += gone;
    if (gone < AT_ONCE) break;
  }
  return total;
}
