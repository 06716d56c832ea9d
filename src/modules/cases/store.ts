import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Case, CaseDraft, CaseKind, CaseStatus, Evidence } from './case.ts';

const SELECT_CASES = `SELECT c.id::float8 AS id, kind, status, account_id::float8 AS "accountId",
  json_build_object('type', subject_type, 'id', subject_id) AS subject, risk_kopecks AS "riskKopecks", evidence,
  opened_at AS "openedAt", updated_at AS "updatedAt", decided_at AS "decidedAt", decided_by::float8 AS "decidedBy",
  decision_reason AS "decisionReason", answer, answered_at AS "answeredAt", froze_account AS "frozeAccount"
  FROM cases c`;

export async function findCase(db: Queryable, caseId: number): Promise<Case | undefined> {
  const [row] = await db.query<Case>(`${SELECT_CASES} WHERE id = $1`, [caseId]);
  return row;
}

/** Locks the case, so that of two operators one decides and the other sees the decision. */
export async function lockCase(tx: Transaction, caseId: number): Promise<Case | undefined> {
  const [row] = await tx.query<Case>(`${SELECT_CASES} WHERE id = $1 FOR UPDATE`, [caseId]);
  return row;
}

/** Locks the newest case of this kind and subject. Waits for an operator who decides it. */
export async function lockLatestCase(
  tx: Transaction,
  { kind, subject }: Pick<Case, 'kind' | 'subject'>,
): Promise<Case | undefined> {
  const [row] = await tx.query<Case>(
    `${SELECT_CASES} WHERE kind = $1 AND subject_type = $2 AND subject_id = $3 ORDER BY c.id DESC LIMIT 1 FOR UPDATE`,
    [kind, subject.type, subject.id],
  );
  return row;
}

/** Returns the id of the new case, or undefined when another worker has opened it meanwhile. */
export async function insertCase(
  tx: Transaction,
  { kind, subject, accountId, evidence, riskKopecks, at }: CaseDraft & { riskKopecks: Kopecks; at: Date },
): Promise<number | undefined> {
  const [row] = await tx.query<{ id: bigint }>(
    `INSERT INTO cases (kind, subject_type, subject_id, account_id, status, risk_kopecks, evidence, opened_at, updated_at)
     VALUES ($1, $2, $3, $4, 'open', $5, $6, $7, $7)
     ON CONFLICT (kind, subject_type, subject_id) WHERE decided_at IS NULL DO NOTHING RETURNING id`,
    [kind, subject.type, subject.id, accountId, riskKopecks, JSON.stringify(evidence), at],
  );
  return row && Number(row.id);
}

export async function updateCase(
  tx: Transaction,
  { id, evidence, riskKopecks, at }: { id: number; evidence: Evidence; riskKopecks: Kopecks; at: Date },
): Promise<void> {
  await tx.query('UPDATE cases SET evidence = $2, risk_kopecks = $3, updated_at = $4 WHERE id = $1', [
    id,
    JSON.stringify(evidence),
    riskKopecks,
    at,
  ]);
}

/** Stores the risk of an undecided case whose evidence has not changed. */
export async function updateRisk(db: Queryable, id: number, riskKopecks: Kopecks): Promise<void> {
  await db.query('UPDATE cases SET risk_kopecks = $2 WHERE id = $1 AND decided_at IS NULL AND risk_kopecks <> $2', [
    id,
    riskKopecks,
  ]);
}

/** Lists undecided cases, the most money at risk first. */
export async function listQueue(
  db: Queryable,
  { offset = 0, limit, kind }: { offset?: number; limit: number; kind?: CaseKind | undefined },
): Promise<Case[]> {
  return db.query<Case>(
    `${SELECT_CASES} WHERE decided_at IS NULL AND ($1::text IS NULL OR kind = $1)
     ORDER BY risk_kopecks DESC, c.id LIMIT $2 OFFSET $3`,
    [kind ?? null, limit, offset],
  );
}

export async function countUndecided(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>('SELECT count(*) AS count FROM cases WHERE decided_at IS NULL');
  return Number(row?.count ?? 0n);
}

/** Lists the cases of an account, newest first. */
export async function listCasesOfAccount(
  db: Queryable,
  {
    accountId,
    isUndecided = false,
    before,
    limit,
  }: { accountId: number; isUndecided?: boolean; before?: number | undefined; limit: number },
): Promise<Case[]> {
  return db.query<Case>(
    `${SELECT_CASES} WHERE account_id = $1 AND ($2::bigint IS NULL OR id < $2) AND (NOT $3 OR decided_at IS NULL)
     ORDER BY c.id DESC LIMIT $4`,
    [accountId, before ?? null, isUndecided, limit],
  );
}

export interface OpenCases {
  readonly kind: CaseKind;
  readonly count: number;
  readonly oldestAt: Date;
  readonly riskKopecks: Kopecks;
}

/** Returns the figures of undecided cases by kind, for the metrics. */
export async function readOpenCases(db: Queryable): Promise<OpenCases[]> {
  return db.query<OpenCases>(
    `SELECT kind, count(*)::float8 AS count, min(opened_at) AS "oldestAt", sum(risk_kopecks)::bigint AS "riskKopecks"
     FROM cases WHERE decided_at IS NULL GROUP BY kind`,
  );
}

export interface DecidedCase {
  readonly caseId: number;
  readonly status: Exclude<CaseStatus, 'open'>;
  readonly operatorId: number;
  readonly reason: string;
  readonly at: Date;
}

/** Stores a decision. The caller holds the lock. `held` keeps the case undecided. */
export async function saveDecision(tx: Transaction, decision: DecidedCase): Promise<void> {
  const { caseId, status, operatorId, reason, at } = decision;
  await tx.query(
    `UPDATE cases SET status = $2, decision_reason = $4, decided_by = $3, updated_at = $5,
       decided_at = CASE WHEN $2 = 'held' THEN NULL ELSE $5::timestamptz END
     WHERE id = $1`,
    [caseId, status, operatorId, reason, at],
  );
}

export async function saveFroze(tx: Transaction, caseId: number, frozeAccount: boolean): Promise<void> {
  await tx.query('UPDATE cases SET froze_account = $2 WHERE id = $1', [caseId, frozeAccount]);
}

/** Returns another held case of the account, which keeps its withdrawals frozen. */
export async function findOtherHeld(tx: Transaction, { id, accountId }: Case): Promise<number | undefined> {
  const [row] = await tx.query<{ id: bigint }>(
    `SELECT id FROM cases WHERE account_id = $2 AND status = 'held' AND id <> $1 ORDER BY id LIMIT 1 FOR UPDATE`,
    [id, accountId],
  );
  return row && Number(row.id);
}

/** Stores the owner's answer. Returns false when there is one already. */
export async function saveAnswer(
  tx: Transaction,
  { caseId, text, at }: { caseId: number; text: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE cases SET answer = $2, answered_at = $3 WHERE id = $1 AND answer IS NULL RETURNING id',
    [caseId, text, at],
  );
  return rows.length > 0;
}

/** Deletes decided cases. Their decisions stay in the audit log. Returns how many. */
export async function deleteDecided(tx: Transaction, before: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM cases WHERE id IN (
       SELECT id FROM cases WHERE decided_at < $1 ORDER BY decided_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`,
    [before, limit],
  );
  return rows.length;
}
