import pg from 'pg';
import { DatabaseUnavailable } from '../core/database.ts';

/** PostgreSQL did not run this statement because an earlier statement of the same batch failed. */
export class StatementSkipped extends Error {
  override readonly name = 'StatementSkipped';
}

/**
 * SQLSTATE classes and codes that concern the server, not the statement: connection, resources (such as a full disk),
 * shutdown, and 25006, with which a primary that became a standby refuses to write.
 */
const UNAVAILABLE = /^(08|53|57P|25006)/;

/**
 * Returns whether PostgreSQL rejected the statement itself, as opposed to a server that is missing, full or shutting
 * down.
 */
export function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '');
}

/** Returns whether the server is missing, shutting down or read-only, as during a failover. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  return error instanceof Error && /^(Connection terminated|Query read timeout|(connect|read) E)/.test(error.message);
}

export function unavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return new DatabaseUnavailable(error.message, { cause: error.cause });
  return new DatabaseUnavailable(`database: ${error instanceof Error ? error.message : error}`, { cause: error });
}

/** Serialisation failure and deadlock: PostgreSQL rolled the transaction back, so it can run again. */
const RETRYABLE_SQLSTATES = new Set(['40001', '40P01']);

export function isRetryable(error: unknown): boolean {
  const code = statementErrorOf(error)?.code;
  return code !== undefined && RETRYABLE_SQLSTATES.has(code);
}

/**
 * Returns whether a migration changed the columns of a statement that this connection had prepared. The connection
 * rejects the statement until it is closed; a new connection accepts it.
 */
export function isPlanOutdated(error: unknown): boolean {
  const cause = statementErrorOf(error);
  return cause?.code === '0A000' && cause.routine === 'RevalidateCachedQuery';
}

/**
 * Returns the error of the statement that failed, also when `error` belongs to a statement that was skipped because of
 * it.
 */
export function rootCauseOf(error: unknown): unknown {
  return statementErrorOf(error) ?? error;
}

function statementErrorOf(error: unknown): pg.DatabaseError | undefined {
  const cause = error instanceof StatementSkipped ? error.cause : error;
  return isStatementError(cause) ? cause : undefined;
}
