import type { Queryable, Transaction } from '../../core/database.ts';
import type { ActionDetails, ActionKind, NewAction, OperatorAction, SubjectKind } from './action.ts';

/** Writes a decision to the audit log, in the transaction of the decision. */
export async function insertAction(tx: Transaction, action: NewAction): Promise<void> {
  const { kind, id } = action.subject;
  await tx.query(
    'INSERT INTO operator_actions (operator_id, action, subject, details, at) VALUES ($1, $2, $3, $4, $5)',
    [action.operatorId, action.action, `${kind}:${id}`, JSON.stringify(action.details), action.at],
  );
}

export interface ActionFilter {
  /** Lists only this kind; all kinds when absent. */
  readonly action?: ActionKind | undefined;
  /** Lists only actions with a lower id. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** The highest id. As a default of `before` it lets one prepared plan use the index; `$1 IS NULL OR …` does not. */
const HIGHEST_ID = '9223372036854775807';

/** Lists decisions, newest first. */
export async function listActions(db: Queryable, { action, before, limit }: ActionFilter): Promise<OperatorAction[]> {
  const rows = await db.query<{
    id: bigint;
    operator_id: bigint;
    action: ActionKind;
    subject: string;
    details: ActionDetails;
    at: Date;
  }>(
    `SELECT id, operator_id, action, subject, details, at FROM operator_actions
     WHERE id < $1 ${action === undefined ? '' : 'AND action = $3'} ORDER BY id DESC LIMIT $2`,
    [before ?? HIGHEST_ID, limit, ...(action === undefined ? [] : [action])],
  );
  return rows.map((row) => {
    const [kind, id] = row.subject.split(':');
    return {
      id: Number(row.id),
      operatorId: Number(row.operator_id),
      action: row.action,
      subject: { kind: kind as SubjectKind, id: Number(id) },
      details: row.details,
      at: row.at,
    };
  });
}
