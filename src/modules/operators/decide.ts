import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { ACTION_SUBJECTS, type ActionDetails, type ActionKind } from './action.ts';
import { insertAction } from './store.ts';

export interface OperatorDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export interface ByOperator {
  /** The operator's Telegram id. */
  readonly operatorId: number;
}

interface Decision {
  readonly tx: Transaction;
  readonly at: Date;
  /** Writes the decision to the audit log. Call it only when the decision changed something. */
  log(action: ActionKind, subjectId: number, details?: ActionDetails): Promise<void>;
}

/** Runs a decision of an operator in one transaction with its entry in the audit log. */
export function decide<Outcome>(
  { db, clock }: OperatorDeps,
  { operatorId }: ByOperator,
  work: (decision: Decision) => Promise<Outcome>,
): Promise<Outcome> {
  return db.transaction((tx) => {
    const at = clock.now();
    return work({
      tx,
      at,
      log: (action, id, details = {}) =>
        insertAction(tx, { operatorId, action, subject: { kind: ACTION_SUBJECTS[action], id }, details, at }),
    });
  });
}
