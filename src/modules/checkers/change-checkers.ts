import { publishChanges } from '../../core/changes.ts';
import type { Transaction } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { recordOperatorNotices } from '../notices/index.ts';
import { deleteRemoved, markConflict, markStopped, upsertChecker } from './store.ts';

const TOKEN_PURPOSE = 'checker-bot-token';

export interface NewChecker {
  readonly botId: number;
  readonly username: string;
  readonly token: string;
}

/** Stores a checker bot with its token encrypted. All processes start to use it. */
export async function saveChecker(
  tx: Transaction,
  { secrets, at }: { readonly secrets: Secrets; readonly at: Date },
  { botId, username, token }: NewChecker,
): Promise<'added' | 'replaced'> {
  const tokenEncrypted = secrets.encrypt(TOKEN_PURPOSE, token);
  const outcome = await upsertChecker(tx, { botId, username, tokenEncrypted, at });
  await publishChanges(tx, { kind: 'checker', id: botId });
  return outcome;
}

/** Returns undefined for a token encrypted under another SECRET_KEY, so that one bot does not stop the others. */
export function openToken(secrets: Secrets, tokenEncrypted: Buffer): string | undefined {
  try {
    return secrets.decrypt(TOKEN_PURPOSE, tokenEncrypted);
  } catch {
    return undefined;
  }
}

/** Stops a checker bot. A job hands its channels over. Returns false when it was stopped before. */
export async function removeChecker(tx: Transaction, botId: number, at: Date): Promise<boolean> {
  const isStopped = await markStopped(tx, { botId, reason: 'removed', at });
  if (isStopped) await publishChanges(tx, { kind: 'checker', id: botId });
  return isStopped;
}

/** Stops a checker bot whose token Telegram no longer accepts, and notifies the operators. */
export async function revokeChecker(
  tx: Transaction,
  { botId, username, at, operatorIds }: CheckerFault,
): Promise<boolean> {
  const isStopped = await markStopped(tx, { botId, reason: 'revoked', at });
  if (!isStopped) return false;
  await publishChanges(tx, { kind: 'checker', id: botId });
  await recordOperatorNotices(tx, operatorIds, { kind: 'checker_stopped', data: { username } }, at);
  return true;
}

/** Records that another program receives the updates of a checker bot, and notifies the operators. */
export async function recordConflict(
  tx: Transaction,
  { botId, username, at, operatorIds }: CheckerFault,
): Promise<boolean> {
  if (!(await markConflict(tx, botId, at))) return false;
  await recordOperatorNotices(tx, operatorIds, { kind: 'checker_conflict', data: { username } }, at);
  return true;
}

export const endConflict = (tx: Transaction, botId: number): Promise<boolean> => markConflict(tx, botId, null);

interface CheckerFault {
  readonly botId: number;
  readonly username: string;
  readonly at: Date;
  readonly operatorIds: ReadonlySet<number>;
}

/** Deletes a removed checker bot after its last channel was handed over. */
export async function forgetChecker(tx: Transaction, botId: number): Promise<boolean> {
  const isDeleted = await deleteRemoved(tx, botId);
  if (isDeleted) await publishChanges(tx, { kind: 'checker', id: botId });
  return isDeleted;
}
