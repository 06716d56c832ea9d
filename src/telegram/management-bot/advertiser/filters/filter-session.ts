import { ApiError } from '../../../../core/errors.ts';
import type { Kopecks } from '../../../../core/money.ts';
import { isClosed, type OrderState, readOwnOrder } from '../../../../modules/orders/index.ts';
import type { Filters } from '../../../../modules/targeting/index.ts';
import { type BotContext, idIn } from '../../bot-context.ts';
import type { ManagementBotDeps } from '../../deps.ts';
import { draftsOf, keepDrafts, orderDraftOf } from '../order-draft.ts';

/** The draft of a new order. */
export const NEW_ORDER = 'n';
type Target = typeof NEW_ORDER | number;

/** The filters being edited: those of a draft, or changes to an existing order that are not applied yet. */
export interface FilterSession {
  readonly target: Target;
  readonly filters: Filters;
  readonly priceKopecks: Kopecks;
  readonly quantity: number;
  /** The existing order, undefined for a draft. */
  readonly state: OrderState | undefined;
}

export async function openSession(
  { db }: Pick<ManagementBotDeps, 'db'>,
  ctx: BotContext,
  target: string | undefined,
): Promise<FilterSession> {
  if (target === NEW_ORDER) {
    const { filters = {}, priceKopecks = 0, quantity = 0 } = orderDraftOf(ctx);
    return { target, filters, priceKopecks: BigInt(priceKopecks), quantity, state: undefined };
  }
  const state = await readOwnOrder(db, { accountId: ctx.person.accountId, orderId: idIn(target) });
  const { order } = state;
  if (isClosed(order.status)) throw new ApiError('wrong_status', 'A closed order keeps its filters.');
  const { edit } = draftsOf(ctx);
  const filters = edit?.orderId === order.id ? edit.filters : order.filters;
  return { target: order.id, filters, priceKopecks: order.priceKopecks, quantity: order.quantity, state };
}

/** Stores the choice at once. Does not change an existing order. */
export async function keepFilters(ctx: BotContext, session: FilterSession, filters: Filters): Promise<FilterSession> {
  const { target } = session;
  await (target === NEW_ORDER
    ? keepDrafts(ctx, { order: { ...orderDraftOf(ctx), filters } })
    : keepDrafts(ctx, { edit: { orderId: target, filters } }));
  return { ...session, filters };
}

/** Returns whether there are changes that are not applied. */
export function isChanged({ state, filters }: FilterSession): boolean {
  return state !== undefined && canonical(filters) !== canonical(state.order.filters);
}

/** Sorts the keys: the database returns them in another order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
