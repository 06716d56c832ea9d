import type { Queryable } from '../../core/database.ts';
import { sha256 } from '../../core/secrets.ts';
import { isAlive, looksLikeSecret, SEEN_EVERY_MS, type Session } from './session.ts';
import { deleteSessions, findSessionByHash, listSessionsOf, saveSeen } from './store.ts';

export interface Asking {
  readonly operatorIds: ReadonlySet<number>;
  readonly at: Date;
}

/**
 * Who holds this token, asked of the database each time: a ban, a sign-out elsewhere or an operator who is none any more
 * takes effect with the next page.
 */
export async function findSession(
  db: Queryable,
  token: string | undefined,
  asking: Asking,
): Promise<Session | undefined> {
  if (!looksLikeSecret(token)) return undefined;
  const session = await findSessionByHash(db, sha256(token));
  if (session === undefined) return undefined;
  const { at } = asking;
  if (!holds(session, asking)) {
    await deleteSessions(db, { accountId: session.owner.accountId, sessionId: session.id });
    return undefined;
  }
  if (at.getTime() - session.seenAt.getTime() >= SEEN_EVERY_MS) await saveSeen(db, session.id, at);
  return session;
}

function holds(session: Session, { operatorIds, at }: Asking): boolean {
  return isAlive(session, at) && (!session.isOperator || operatorIds.has(session.owner.telegramUserId));
}

const MAX_LISTED = 50;

/** Those that work now, the last used first. */
export async function listSessions(
  db: Queryable,
  { accountId, ...asking }: { accountId: number } & Asking,
): Promise<Session[]> {
  return (await listSessionsOf(db, accountId, MAX_LISTED)).filter((session) => holds(session, asking));
}

/** Ends one session of an account, or all of them. Answers how many. */
export function endSessions(
  db: Queryable,
  which: { accountId: number; sessionId?: number | undefined },
): Promise<number> {
  return deleteSessions(db, which);
}
