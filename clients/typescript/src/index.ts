import type { Output } from './transport.ts';

export { createClient, type SponsorgateClient } from './client.ts';
export { type FieldError, SponsorgateError, type TransportCode } from './errors.ts';
export type { ErrorCode, OperationId, Operations } from './generated/api.ts';
export { EVENT_TYPES, type EventData } from './generated/events.ts';
export { type Postback, signPostback } from './signatures.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookMessage,
  type WebhookProblem,
  WebhookVerificationError,
} from './verify-webhook.ts';

export type SponsorsResponse = Output<'postGetSponsors'>;
export type Sponsor = SponsorsResponse['sponsors'][number];
export type Confirmation = Output<'postConfirmSubscription'>;
export type Balance = Output<'postGetBalance'>;
export type Order = Output<'getOrdersId'>;
export type Link = Output<'getLinksId'>;
export type Payout = Output<'getPayouts'>['payouts'][number];
export type Contest = Output<'getContests'>['contests'][number];
export type Webhook = Output<'getWebhooks'>['webhooks'][number];
export type WebhookDelivery = Output<'getWebhooksIdDeliveries'>['deliveries'][number];
