import type { Queryable, Transaction } from '../../core/database.ts';
import type { ActionDetails, ActionKind, NewAction, OperatorAction, SubjectKind } from './action.ts';

/** In the transaction of the decision itself: what was decided is written down, or it was not decided. */
export async function insertAction(tx: Transaction, action: NewAction): Promise<void> {
  const { kind, id } = action.subject;
  await tx.query(
    'INSERT INTO operator_actions (operator_id, action, subject, details, at) VALUES ($1, $2, $3, $4, $5)',
    [action.operatorId, action.action, `${kind}:${id}`, JSON.stringify(action.details), action.at],
  );
}

export interface ActionsWanted {
  /** Only this kind; all of them when absent. */
  readonly action?: ActionKind | undefined;
  /** Only what came before the one with this id. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Beyond every id: a plan made once for all calls can use it, which "or nothing was named" cannot. */
const AFTER_ALL = '9223372036854775807';

/** Newest first. */
export async function listActions(db: Queryable, { action, before, limit }: ActionsWanted): Promise<OperatorAction[]> {
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
    [before ?? AFTER_ALL, limit, ...(action === undefined ? [] : [action])],
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
