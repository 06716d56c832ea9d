import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { ActionKind, NewAction, OperatorAction, SubjectKind } from './action.ts';

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
  /** Lists only actions about this subject. */
  readonly subject?: OperatorAction['subject'] | undefined;
  /** Lists only actions with a lower id. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** The highest id. As a default of `before` it lets one prepared plan use the index; `$1 IS NULL OR …` does not. */
const HIGHEST_ID = '9223372036854775807';

type ActionRow = Omit<OperatorAction, 'subject'> & { readonly subject: string };

function toAction(row: ActionRow): OperatorAction {
  const [kind, id] = row.subject.split(':');
  return { ...row, subject: { kind: kind as SubjectKind, id: Number(id) } };
}

const SELECT_ACTIONS = `SELECT id::float8 AS id, operator_id::float8 AS "operatorId", action, subject, details, at
  FROM operator_actions a`;

/** Lists decisions, newest first. */
export async function listActions(
  db: Queryable,
  { action, subject, before, limit }: ActionFilter,
): Promise<OperatorAction[]> {
  const values: unknown[] = [before ?? HIGHEST_ID, limit];
  const also = (column: string, value: string | undefined): string =>
    value === undefined ? '' : `AND ${column} = $${values.push(value)}`;
  const rows = await db.query<ActionRow>(
    `${SELECT_ACTIONS} WHERE id < $1 ${also('action', action)} ${also('subject', subject && `${subject.kind}:${subject.id}`)}
     ORDER BY a.id DESC LIMIT $2`,
    values,
  );
  return rows.map(toAction);
}

export async function findAction(db: Queryable, id: number): Promise<OperatorAction | undefined> {
  const [row] = await db.query<ActionRow>(`${SELECT_ACTIONS} WHERE id = $1`, [id]);
  return row && toAction(row);
}

/** The names of operators and subjects of decisions. Subjects that have no name are missing. */
export interface ActionNames {
  readonly operators: ReadonlyMap<number, string>;
  /** By kind and id: `order:7`. */
  readonly subjects: ReadonlyMap<string, string>;
}

export async function nameActions(db: Queryable, actions: readonly OperatorAction[]): Promise<ActionNames> {
  const idsOf = (kind: SubjectKind): number[] =>
    actions.flatMap(({ subject }) => (subject.kind === kind ? [subject.id] : []));
  const rows = await db.query<{ kind: string; id: bigint; name: string }>(
    `SELECT 'operator' AS kind, telegram_user_id AS id, name FROM accounts WHERE telegram_user_id = ANY($1::bigint[])
     UNION ALL SELECT 'account', id, name FROM accounts WHERE id = ANY($2::bigint[])
     UNION ALL SELECT 'order', id, title FROM orders WHERE id = ANY($3::bigint[])
     UNION ALL SELECT 'bot', id, '@' || username FROM bots WHERE id = ANY($4::bigint[])
     UNION ALL SELECT 'contest', id, name FROM contests WHERE id = ANY($5::bigint[])
     UNION ALL SELECT 'payout', p.id, a.name FROM payouts p JOIN accounts a ON a.id = p.account_id
               WHERE p.id = ANY($6::bigint[])`,
    [
      actions.map(({ operatorId }) => operatorId),
      idsOf('account'),
      idsOf('order'),
      idsOf('bot'),
      idsOf('contest'),
      idsOf('payout'),
    ],
  );
  return {
    operators: new Map(rows.flatMap((row) => (row.kind === 'operator' ? [[Number(row.id), row.name] as const] : []))),
    subjects: new Map(rows.map((row) => [`${row.kind}:${row.id}`, row.name])),
  };
}

/** An advertiser whose orders paid rewards to a publisher. */
interface Counterparty {
  readonly accountId: number;
  readonly name: string;
  readonly subscriptions: number;
  readonly rewardKopecks: Kopecks;
  /** Whether both accounts seem to have the same owner. */
  readonly isConnected: boolean;
}

export interface Earnings {
  readonly counted: number;
  readonly reversed: number;
  readonly rewardKopecks: Kopecks;
  readonly advertisers: number;
  /** The advertisers who paid most, the largest first. */
  readonly counterparties: readonly Counterparty[];
}

/** Returns what an account's bots earned since a business day, and which advertisers paid it. */
export async function readEarnings(
  db: Queryable,
  { accountId, since, limit }: { accountId: number; since: string; limit: number },
): Promise<Earnings> {
  const rows = await db.query<{
    account_id: bigint;
    name: string;
    counted: bigint;
    reward: bigint;
    is_connected: boolean;
    all_counted: bigint;
    all_reversed: bigint;
    all_reward: bigint;
    advertisers: bigint;
  }>(
    `WITH paid AS (
       SELECT o.account_id, sum(d.counted)::bigint AS counted, sum(d.reversed)::bigint AS reversed,
              sum(d.reward_kopecks)::bigint AS reward
       FROM bots b
       JOIN daily_totals d ON d.bot_id = b.id AND d.day >= $2::date
       JOIN orders o ON o.id = d.order_id
       WHERE b.account_id = $1 GROUP BY o.account_id
     ), top AS (
       SELECT *, sum(counted) OVER ()::bigint AS all_counted, sum(reversed) OVER ()::bigint AS all_reversed,
              sum(reward) OVER ()::bigint AS all_reward, count(*) OVER () AS advertisers
       FROM paid ORDER BY reward DESC, account_id LIMIT $3
     )
     SELECT top.*, a.name,
            EXISTS (SELECT FROM connected_accounts c WHERE c.account_id = $1 AND c.other_id = top.account_id) AS is_connected
     FROM top JOIN accounts a ON a.id = top.account_id ORDER BY top.reward DESC, top.account_id`,
    [accountId, since, limit],
  );
  const [first] = rows;
  return {
    counted: Number(first?.all_counted ?? 0n),
    reversed: Number(first?.all_reversed ?? 0n),
    rewardKopecks: first?.all_reward ?? 0n,
    advertisers: Number(first?.advertisers ?? 0n),
    counterparties: rows.map((row) => ({
      accountId: Number(row.account_id),
      name: row.name,
      subscriptions: Number(row.counted),
      rewardKopecks: row.reward,
      isConnected: row.is_connected,
    })),
  };
}
