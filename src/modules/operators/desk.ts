import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import type { Contests } from '../contests/index.ts';
import type { Payouts } from '../payouts/index.ts';
import type { ActionDetails, ActionKind, Subject } from './action.ts';
import { insertAction } from './store.ts';

/** What the decisions of operators work on. */
export interface DeskDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly payouts: Payouts;
  readonly contests: Contests;
  readonly operatorIds: ReadonlySet<number>;
}

/** Who decides: an operator's Telegram id. */
export interface ByOperator {
  readonly operatorId: number;
}

/** Writes a decision down in the transaction that carries it out. */
export const writeDown =
  (
    { clock }: Pick<DeskDeps, 'clock'>,
    { operatorId }: ByOperator,
    action: ActionKind,
    subject: Subject,
    details: ActionDetails = {},
  ) =>
  (tx: Transaction): Promise<void> =>
    insertAction(tx, { operatorId, action, subject, details, at: clock.now() });
