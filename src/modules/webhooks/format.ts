import { formatTimestamp } from '../../core/clock.ts';
import { formatSignature } from '../../core/task-signature.ts';
import { formatEventId } from '../events/index.ts';

/** The form of an endpoint's messages: ours, or that of a network from which a publisher switched. */
export const WEBHOOK_FORMATS = ['sponsorgate', 'subgram', 'flyer'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

interface RenderedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly sequence: bigint | number;
  /** JSON text, as it was recorded. */
  readonly data: string;
  readonly format: WebhookFormat;
  /** The link of the event's order; only for the formats of other networks. */
  readonly link: string | null;
}

/**
 * Returns the same bytes at every attempt, because it uses only what was recorded with the event. Returns undefined for
 * an event that the format cannot express: other networks only know subscriptions, and only the publisher's side.
 */
export function renderBody(event: RenderedEvent): string | undefined {
  if (event.format === 'sponsorgate') return renderOwn(event);
  if (event.type === 'webhook.test') {
    return JSON.stringify(event.format === 'subgram' ? { webhooks: [] } : { type: 'test', data: {} });
  }
  const data = JSON.parse(event.data) as Readonly<Record<string, unknown>>;
  if (!event.type.startsWith('subscription.') || data.role !== 'publisher') return undefined;
  const { user_id: userId, order_id: orderId, bot_id, status, created_at } = data;
  if (event.format === 'subgram') {
    const webhook_id = Number(event.sequence);
    const entry = { webhook_id, ads_id: orderId, link: event.link, user_id: userId, bot_id, status };
    return JSON.stringify({ webhooks: [{ ...entry, subscribe_date: created_at }] });
  }
  const isConfirmed = event.type === 'subscription.confirmed';
  const signature = formatSignature({ userId: Number(userId), orderId: Number(orderId) });
  return JSON.stringify({
    type: isConfirmed ? 'sub_completed' : 'new_status',
    data: { user_id: userId, signature, status: isConfirmed ? 'complete' : 'abort', link: event.link, bot_id },
  });
}

function renderOwn(event: RenderedEvent): string {
  const type = JSON.stringify(event.type);
  const id = JSON.stringify(formatEventId(event.eventId));
  const timestamp = JSON.stringify(formatTimestamp(event.createdAt));
  return `{"type":${type},"id":${id},"timestamp":${timestamp},"sequence":${event.sequence},"data":${event.data}}`;
}
