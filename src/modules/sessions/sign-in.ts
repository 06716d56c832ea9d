import { addSeconds, SECOND_MS } from '../../core/clock.ts';
import type { Database, Queryable, Transaction } from '../../core/database.ts';
import { sha256 } from '../../core/secrets.ts';
import {
  CODE_MS,
  generateSecret,
  LIFETIMES,
  looksLikeSecret,
  type SessionKind,
  type SessionOwner,
  type Theme,
} from './session.ts';
import { deleteOldestSessions, findCode, insertOpening, insertSession, takeCode, upsertCode } from './store.ts';

/** A sign-in beyond this number ends the oldest session. */
const MAX_SESSIONS = 20;

/** Returns the code of a new one-time link. Stores its hash and invalidates the previous link. */
export async function issueCode(db: Queryable, { accountId, at }: { accountId: number; at: Date }): Promise<string> {
  const code = generateSecret();
  const expiresAt = new Date(at.getTime() + CODE_MS);
  await upsertCode(db, { accountId, codeHash: sha256(code), expiresAt });
  return code;
}

/** Returns the account that a code would sign in. Does not use up the code, because link previews open links too. */
export async function inspectCode(
  db: Queryable,
  code: string | undefined,
  at: Date,
): Promise<SessionOwner | undefined> {
  return looksLikeSecret(code) ? findCode(db, sha256(code), at) : undefined;
}

/** The data that every way of signing in provides. */
export interface Arrival {
  readonly device: string;
  readonly operatorIds: ReadonlySet<number>;
  readonly at: Date;
}

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly token: string; readonly expiresAt: Date; readonly accountId: number }
  | { readonly kind: 'refused' };

/** Exchanges a code for a session, once. The token is not stored: only its hash is. */
export async function signInByCode(
  db: Database,
  { code, ...arrival }: Arrival & { code: string | undefined },
): Promise<SignInOutcome> {
  if (!looksLikeSecret(code)) return { kind: 'refused' };
  return db.transaction(async (tx) => {
    const owner = await takeCode(tx, sha256(code), arrival.at);
    return owner === undefined ? { kind: 'refused' } : open(tx, owner, { ...arrival, kind: 'browser', theme: null });
  });
}

/**
 * Signs in with Telegram's init data, whose signature the caller has checked. `initHash` identifies one opening of the
 * Mini App. One opening gives one session, so copied init data is useless.
 */
export async function signInByApp(
  db: Database,
  input: Arrival & {
    owner: { accountId: number; telegramUserId: number };
    initHash: Buffer;
    /** The maximum age of init data. Its hash is stored at least this long. */
    initDataSeconds: number;
    theme: Theme | null;
  },
): Promise<SignInOutcome> {
  const { owner, initHash, initDataSeconds, at } = input;
  return db.transaction(async (tx) => {
    // Twice the maximum age, because Telegram's clock may run ahead of ours.
    const isNew = await insertOpening(tx, initHash, addSeconds(at, 2 * initDataSeconds));
    return isNew ? open(tx, owner, { ...input, kind: 'app' }) : { kind: 'refused' };
  });
}

async function open(
  tx: Transaction,
  { accountId, telegramUserId }: { accountId: number; telegramUserId: number },
  { kind, device, theme, operatorIds, at }: Arrival & { kind: SessionKind; theme: Theme | null },
): Promise<SignInOutcome> {
  const token = generateSecret();
  const expiresAt = addSeconds(at, LIFETIMES[kind].longestMs / SECOND_MS);
  // Operators sign in with a link. A session inside Telegram has only the rights of an owner.
  const isOperator = kind === 'browser' && operatorIds.has(telegramUserId);
  await insertSession(tx, { tokenHash: sha256(token), accountId, kind, isOperator, device, theme, at, expiresAt });
  await deleteOldestSessions(tx, accountId, MAX_SESSIONS);
  return { kind: 'signed_in', token, expiresAt, accountId };
}
