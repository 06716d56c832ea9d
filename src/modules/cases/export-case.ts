import type { Case } from './case.ts';

/** Returns the case as JSON for people outside the service, such as a lawyer. Money is in kopecks, times are UTC. */
export function exportCase(one: Case): Readonly<Record<string, unknown>> {
  return {
    case_id: one.id,
    kind: one.kind,
    subject: `${one.subject.type}:${one.subject.id}`,
    account_id: one.accountId,
    status: one.status,
    risk_kopecks: Number(one.riskKopecks),
    opened_at: one.openedAt.toISOString(),
    updated_at: one.updatedAt.toISOString(),
    decided_at: one.decidedAt?.toISOString() ?? null,
    decided_by: one.decidedBy,
    decision_reason: one.decisionReason,
    answer: one.answer,
    answered_at: one.answeredAt?.toISOString() ?? null,
    evidence: one.evidence,
  };
}
