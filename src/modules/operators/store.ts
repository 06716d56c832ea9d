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

/** Newest first, from before the one named. */
export async function listActions(
  db: Queryable,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<OperatorAction[]> {
  const rows = await db.query<{
    id: bigint;
    operator_id: bigint;
    action: ActionKind;
    subject: string;
    details: ActionDetails;
    at: Date;
  }>(
    `SELECT id, operator_id, action, subject, details, at FROM operator_actions
     WHERE $1::bigint IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [before ?? null, limit],
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
