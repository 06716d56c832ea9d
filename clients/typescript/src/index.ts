import type { Answer } from './transport.ts';

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

export type SponsorsAnswer = Answer<'postGetSponsors'>;
export type Sponsor = SponsorsAnswer['sponsors'][number];
export type Confirmation = Answer<'postConfirmSubscription'>;
export type Balance = Answer<'postGetBalance'>;
export type Order = Answer<'getOrdersId'>;
export type Link = Answer<'getLinksId'>;
export type Payout = Answer<'getPayouts'>['payouts'][number];
export type Contest = Answer<'getContests'>['contests'][number];
export type Webhook = Answer<'getWebhooks'>['webhooks'][number];
export type WebhookDelivery = Answer<'getWebhooksIdDeliveries'>['deliveries'][number];
