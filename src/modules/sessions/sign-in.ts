import { addSeconds, SECOND_MS } from '../../core/clock.ts';
import type { Database, Queryable, Transaction } from '../../core/database.ts';
import { sha256 } from '../../core/secrets.ts';
import { CODE_MS, generateSecret, LIFETIMES, looksLikeSecret, type SessionKind, type Theme } from './session.ts';
import {
  type CodeOwner,
  deleteOldestSessions,
  findCode,
  insertOpening,
  insertSession,
  takeCode,
  upsertCode,
} from './store.ts';

/** More than anybody has devices; a sign-in beyond it ends the oldest. */
const MAX_SESSIONS = 20;

/** The code of a one-time link. Only its hash is kept, and the link before it works no more. */
export async function issueCode(db: Queryable, { accountId, at }: { accountId: number; at: Date }): Promise<string> {
  const code = generateSecret();
  const expiresAt = new Date(at.getTime() + CODE_MS);
  await upsertCode(db, { accountId, codeHash: sha256(code), expiresAt });
  return code;
}

/** Whom a code would sign in. Does not use it up: previews and scanners follow links too. */
export async function inspectCode(db: Queryable, code: string | undefined, at: Date): Promise<CodeOwner | undefined> {
  return looksLikeSecret(code) ? findCode(db, sha256(code), at) : undefined;
}

/** What every way of signing in tells about the device. */
export interface Arrival {
  readonly device: string;
  readonly operatorIds: ReadonlySet<number>;
  readonly at: Date;
}

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly token: string; readonly expiresAt: Date; readonly accountId: number }
  | { readonly kind: 'refused' };

/** Exchanges a code for a session, once. The token is answered here and nowhere else. */
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
 * A session for whom Telegram vouches. The caller has checked the signature; `initHash` names the opening, and one opening
 * opens one session, so a copy of the init data is worth nothing.
 */
export async function signInByApp(
  db: Database,
  input: Arrival & {
    owner: { accountId: number; telegramUserId: number };
    initHash: Buffer;
    /** How old init data may be at most: so long its hash is remembered. */
    initDataSeconds: number;
    theme: Theme | null;
  },
): Promise<SignInOutcome> {
  const { owner, initHash, initDataSeconds, at } = input;
  return db.transaction(async (tx) => {
    // Twice as long, since the clock that signed it may run ahead of ours.
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
  // Operators sign in with a link: what is opened inside a chat is the owner's own.
  const isOperator = kind === 'browser' && operatorIds.has(telegramUserId);
  await insertSession(tx, { tokenHash: sha256(token), accountId, kind, isOperator, device, theme, at, expiresAt });
  await deleteOldestSessions(tx, accountId, MAX_SESSIONS);
  return { kind: 'signed_in', token, expiresAt, accountId };
}
