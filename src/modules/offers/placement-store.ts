import type { Queryable, Transaction } from '../../core/database.ts';
import type { Offer, OfferKey, OfferState, Round, ShownTask } from './offer.ts';
import { keyColumns, OFFER_COLUMNS, type OfferRow, toOffer } from './offer-rows.ts';
import type { TaskState } from './plan-tasks.ts';

export interface Pair {
  readonly userId: number;
  readonly botId: number;
}

export const pairKey = ({ userId, botId }: Pair): string => `${userId}:${botId}`;

export interface KnownState extends TaskState<ShownTask> {
  readonly isBanned: boolean;
}

/** One that our bot can no longer check blocks nobody: the user could never get past it. */
const CHECKABLE = `NOT EXISTS (SELECT 1 FROM orders x WHERE x.id = o.order_id AND x.pause_reason = 'access_lost')`;

/**
 * The round of each pair, its tasks and the user's ban, for many requests in one indexed read. Most requests of all end
 * here, so the tasks of a pair come as one text: a row with its columns each would cost several times as much to take in.
 */
export async function readTaskStates(db: Queryable, pairs: readonly Pair[]): Promise<KnownState[]> {
  const rows = await db.query<{
    index: number;
    is_banned: boolean;
    number: number | null;
    requested: number;
    ends_at: number;
    tasks: string | null;
  }>(
    `SELECT p.index::int, b.user_id IS NOT NULL AS is_banned, r.number, r.requested,
            date_part('epoch', r.ends_at) AS ends_at,
            (SELECT string_agg(concat_ws(' ', o.order_id, o.round, o.position, o.state, date_part('epoch', o.expires_at)), ',')
             FROM offers o WHERE o.user_id = p.user_id AND o.bot_id = p.bot_id
               AND (o.state = 'offered' OR o.round = r.number) AND ${CHECKABLE}) AS tasks
     FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS p (user_id, bot_id, index)
     LEFT JOIN banned_users b ON b.user_id = p.user_id
     LEFT JOIN rounds r ON r.user_id = p.user_id AND r.bot_id = p.bot_id`,
    [pairs.map(({ userId }) => userId), pairs.map(({ botId }) => botId)],
  );
  const states = new Array<KnownState>(pairs.length);
  for (const row of rows) {
    const pair = pairs[row.index - 1];
    if (pair === undefined) continue;
    const { number, requested, ends_at: endsAt } = row;
    states[row.index - 1] = {
      isBanned: row.is_banned,
      round: number === null ? undefined : { ...pair, number, requested, endsAt: atEpoch(endsAt) },
      offers: row.tasks === null ? [] : row.tasks.split(',').map((text) => readTask(pair, text)),
    };
  }
  return states;
}

function readTask({ userId, botId }: Pair, text: string): ShownTask {
  const [orderId, round, position, state, expiresAt] = text.split(' ');
  return {
    userId,
    botId,
    orderId: Number(orderId),
    round: Number(round),
    position: Number(position),
    state: state as OfferState,
    expiresAt: atEpoch(Number(expiresAt)),
  };
}

/** PostgreSQL keeps microseconds; as the driver does, what is finer than a millisecond is cut off. */
const atEpoch = (seconds: number): Date => new Date(Math.floor(seconds * 1000 + 1e-4));

/** What decides which orders are for a user in a bot. */
export interface History {
  /** Resources for which the user was ever counted, by whatever bot. */
  readonly countedResources: ReadonlySet<number>;
  /** Orders and resources that stand before this user in this bot already, or were done there. */
  readonly shownOrders: ReadonlySet<number>;
  readonly shownResources: ReadonlySet<number>;
}

/** For many pairs in one read, in the order asked for. */
export async function readHistories(db: Queryable, pairs: readonly Pair[]): Promise<History[]> {
  const rows = await db.query<{
    index: number;
    counted: (bigint | null)[] | null;
    orders: (bigint | null)[] | null;
    resources: (bigint | null)[] | null;
  }>(
    `SELECT p.index::int, (SELECT array_agg(c.resource_id) FROM counted_subscriptions c WHERE c.user_id = p.user_id) AS counted,
            t.orders, t.resources
     FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS p (user_id, bot_id, index)
     CROSS JOIN LATERAL (SELECT array_agg(o.order_id) AS orders, array_agg(o.resource_id) AS resources FROM offers o
                         WHERE o.user_id = p.user_id AND o.bot_id = p.bot_id AND o.state <> 'expired') t`,
    [pairs.map(({ userId }) => userId), pairs.map(({ botId }) => botId)],
  );
  const histories = new Array<History>(pairs.length);
  for (const { index, counted, orders, resources } of rows) {
    histories[index - 1] = {
      countedResources: numbers(counted),
      shownOrders: numbers(orders),
      shownResources: numbers(resources),
    };
  }
  return histories;
}

const numbers = (values: readonly (bigint | null)[] | null): Set<number> => new Set((values ?? []).map(Number));

/** Makes sure that each pair has a round row and locks it: whoever holds it alone decides what that user is shown. */
export async function lockRounds(tx: Transaction, pairs: readonly Pair[], now: Date): Promise<Map<string, Round>> {
  const rows = await tx.query<{ user_id: bigint; bot_id: bigint; number: number; requested: number; ends_at: Date }>(
    `INSERT INTO rounds AS r (user_id, bot_id, number, requested, ends_at)
     SELECT DISTINCT user_id, bot_id, 0, 0, $3::timestamptz FROM unnest($1::bigint[], $2::bigint[]) AS p (user_id, bot_id)
     ORDER BY user_id, bot_id
     ON CONFLICT (user_id, bot_id) DO UPDATE SET number = r.number
     RETURNING user_id, bot_id, number, requested, ends_at`,
    [pairs.map(({ userId }) => userId), pairs.map(({ botId }) => botId), now],
  );
  return new Map(
    rows.map((row) => {
      const pair = { userId: Number(row.user_id), botId: Number(row.bot_id) };
      return [pairKey(pair), { ...pair, number: row.number, requested: row.requested, endsAt: row.ends_at }];
    }),
  );
}

/** The tasks of these pairs that a plan may touch: open ones, those of the round, and any of the orders named. */
export async function lockTasks(
  tx: Transaction,
  pairs: readonly Pair[],
  orderIds: readonly number[],
): Promise<Offer[]> {
  const rows = await tx.query<OfferRow>(
    `SELECT ${OFFER_COLUMNS}
     FROM offers o JOIN rounds r ON r.user_id = o.user_id AND r.bot_id = o.bot_id
     WHERE (o.user_id, o.bot_id) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))
       AND (o.state = 'offered' OR o.round = r.number OR o.order_id = ANY($3::bigint[])) AND ${CHECKABLE}
     ORDER BY o.user_id, o.bot_id, o.order_id
     FOR UPDATE OF o`,
    [pairs.map(({ userId }) => userId), pairs.map(({ botId }) => botId), orderIds],
  );
  return rows.map(toOffer);
}

export async function saveRounds(tx: Transaction, rounds: readonly Round[]): Promise<void> {
  if (rounds.length === 0) return;
  await tx.query(
    `UPDATE rounds r SET number = t.number, requested = t.requested, ends_at = t.ends_at
     FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::timestamptz[])
       AS t (user_id, bot_id, number, requested, ends_at)
     WHERE r.user_id = t.user_id AND r.bot_id = t.bot_id`,
    [
      rounds.map((round) => round.userId),
      rounds.map((round) => round.botId),
      rounds.map((round) => round.number),
      rounds.map((round) => round.requested),
      rounds.map((round) => round.endsAt),
    ],
  );
}

export async function savePlaced(tx: Transaction, offers: readonly Offer[]): Promise<void> {
  if (offers.length === 0) return;
  await tx.query(
    `INSERT INTO offers (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                         reward_kopecks, hold_seconds, refund, offered_at, expires_at)
     SELECT user_id, bot_id, order_id, account_id, resource_id, round, position, 'offered', charge, reward, hold, refund,
            offered_at, expires_at
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[], $7::int[],
                 $8::bigint[], $9::bigint[], $10::int[], $11::boolean[], $12::timestamptz[], $13::timestamptz[])
       AS t (user_id, bot_id, order_id, account_id, resource_id, round, position, charge, reward, hold, refund,
             offered_at, expires_at)
     ORDER BY user_id, bot_id, order_id
     ON CONFLICT (user_id, bot_id, order_id) DO UPDATE SET
       round = excluded.round, position = excluded.position, state = 'offered',
       charge_kopecks = excluded.charge_kopecks, reward_kopecks = excluded.reward_kopecks,
       hold_seconds = excluded.hold_seconds, refund = excluded.refund,
       offered_at = excluded.offered_at, expires_at = excluded.expires_at`,
    [
      ...keyColumns(offers),
      offers.map((offer) => offer.accountId),
      offers.map((offer) => offer.resourceId),
      offers.map((offer) => offer.round),
      offers.map((offer) => offer.position),
      offers.map((offer) => offer.chargeKopecks),
      offers.map((offer) => offer.rewardKopecks),
      offers.map((offer) => offer.holdSeconds),
      offers.map((offer) => offer.refund),
      offers.map((offer) => offer.offeredAt),
      offers.map((offer) => offer.expiresAt),
    ],
  );
}

export async function saveRenewed(tx: Transaction, offers: readonly Offer[]): Promise<void> {
  if (offers.length === 0) return;
  await tx.query(
    `UPDATE offers o SET round = t.round, position = t.position, expires_at = t.expires_at
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::timestamptz[])
       AS t (user_id, bot_id, order_id, round, position, expires_at)
     WHERE o.user_id = t.user_id AND o.bot_id = t.bot_id AND o.order_id = t.order_id`,
    [
      ...keyColumns(offers),
      offers.map((offer) => offer.round),
      offers.map((offer) => offer.position),
      offers.map((offer) => offer.expiresAt),
    ],
  );
}

export async function saveExpired(tx: Transaction, keys: readonly OfferKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `UPDATE offers o SET state = 'expired'
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS t (user_id, bot_id, order_id)
     WHERE o.user_id = t.user_id AND o.bot_id = t.bot_id AND o.order_id = t.order_id`,
    keyColumns(keys),
  );
}

/** Locks offers whose time is over, passing by those that somebody is just confirming or renewing. */
export async function lockLapsed(tx: Transaction, now: Date, limit: number): Promise<Offer[]> {
  const rows = await tx.query<OfferRow>(
    `SELECT ${OFFER_COLUMNS} FROM offers o
     WHERE o.state = 'offered' AND o.expires_at <= $1
     ORDER BY o.user_id, o.bot_id, o.order_id LIMIT $2
     FOR UPDATE SKIP LOCKED`,
    [now, limit],
  );
  return rows.map(toOffer);
}
