import pg from 'pg';
import { DatabaseUnavailable } from '../core/database.ts';

/** One of several statements that were sent together failed, so PostgreSQL did not run those behind it. */
export class StatementSkipped extends Error {
  override readonly name = 'StatementSkipped';
}

/**
 * SQLSTATE classes and codes that speak of the server, not of the statement: connection, resources (a full disk among
 * them), shutdown, and 25006, by which a primary that became a standby refuses to write.
 */
const UNAVAILABLE = /^(08|53|57P|25006)/;

/** PostgreSQL's own word on a statement, as opposed to a server that is missing, full or on its way down. */
export function isVerdict(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '');
}

export function unavailable(error: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable(`database: ${error instanceof Error ? error.message : error}`, { cause: error });
}

/** A serialisation failure or a deadlock: the loser is rolled back whole and may simply try again. */
const RETRYABLE_SQLSTATES = new Set(['40001', '40P01']);

export function isRetryable(error: unknown): boolean {
  const verdict = verdictOf(error);
  return verdict?.code !== undefined && RETRYABLE_SQLSTATES.has(verdict.code);
}

/**
 * A migration has changed what a statement answers that this connection had prepared before. The connection will refuse
 * it for as long as it lives, and a new one will not.
 */
export function isOutdated(error: unknown): boolean {
  const verdict = verdictOf(error);
  return verdict?.code === '0A000' && verdict.routine === 'RevalidateCachedQuery';
}

/** What really went wrong: of several statements sent together the one that failed, whichever of them was waited for. */
export function rootOf(error: unknown): unknown {
  return verdictOf(error) ?? error;
}

function verdictOf(error: unknown): pg.DatabaseError | undefined {
  const cause = error instanceof StatementSkipped ? error.cause : error;
  return isVerdict(cause) ? cause : undefined;
}
