import { ApiError } from '../../core/errors.ts';
import { formatRubles, type Kopecks, parseRubles } from '../../core/money.ts';
import { MAX_ORDER_QUANTITY, type OrderStatus } from './order.ts';
import type { Resolution, ResolvedResource } from './resource-resolver.ts';

/** The errors of the order endpoints. Each tells the caller what to do next. */
export const orderNotFound = (orderId: number): ApiError =>
  new ApiError('order_not_found', `You have no order ${orderId}.`);

export const wrongStatus = (orderId: number, status: OrderStatus): ApiError =>
  new ApiError('wrong_status', `Order ${orderId} is in status ${status}, which does not allow this.`);

export const stoppedByOperator = (orderId: number): ApiError =>
  new ApiError('wrong_status', `Order ${orderId} was stopped by an operator, who alone can resume it.`);

export const tooPoor = (neededKopecks: Kopecks, availableKopecks: Kopecks): ApiError =>
  new ApiError(
    'insufficient_funds',
    `This costs ${formatRubles(neededKopecks)} and you can spend ${formatRubles(availableKopecks)} of settled money: top up your balance first.`,
  );

export const tooLarge = (orderId: number): ApiError =>
  new ApiError(
    'quantity_too_large',
    `Order ${orderId} would have more than ${MAX_ORDER_QUANTITY} subscribers: make another order.`,
  );

/** The ban followed the authorisation of this request. Later requests fail with the same error at the token check. */
export const ownerBanned = (): ApiError => new ApiError('invalid_token', 'This account is blocked by an operator.');

/**
 * Rejects filters. Otherwise they would be ignored like any unknown field, and the order would be bought without them.
 */
export function refuseFilters(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('filters' in body)) return;
  const fields = [{ field: 'filters', message: 'are set in the management bot' }];
  throw new ApiError(
    'filters_not_here',
    'Filters cannot be set through the API: open the order in the management bot, then Audience.',
    { fields },
  );
}

export function kopecksOf(field: string, rubles: number): Kopecks {
  const kopecks = parseRubles(rubles);
  if (kopecks !== undefined && kopecks > 0n) return kopecks;
  const fields = [{ field, message: 'must be rubles with at most two decimals' }];
  throw new ApiError('validation_failed', `${field} must be rubles with at most two decimals.`, { fields });
}

export const telegramUnavailable = (): ApiError =>
  new ApiError('telegram_unavailable', 'Telegram could not be asked about the link right now: try again.');

export function notYourBot(username: string, code: string): ApiError {
  const message = `leads to @${username}, which you have not proved to be yours: put ${code} into its name in @BotFather (Edit Bot → Edit Name) and send the order again, or send its bot_token`;
  return new ApiError('resource_refused', `link ${message}.`, { fields: [{ field: 'link', message }] });
}

export function resourceOf(resolution: Resolution): ResolvedResource {
  switch (resolution.kind) {
    case 'resolved':
      return resolution.resource;
    case 'unavailable':
      throw telegramUnavailable();
    case 'refused': {
      const { field, message } = resolution;
      throw new ApiError('resource_refused', `${field} ${message}.`, { fields: [{ field, message }] });
    }
  }
}

/** Returns the order id in a path. Throws `order_not_found` for any other text. */
export function orderIdIn(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new ApiError('order_not_found', 'That is not the number of an order.');
}
