export { type DeliveryBacklog, readDeliveriesDue } from './backlog-store.ts';
export { checkSignature, type ReceivedMessage, type SignatureVerdict } from './check-signature.ts';
export { createDeliverer, type Deliverer, type DelivererDeps } from './deliver-due.ts';
export {
  type CreateOutcome,
  createWebhook,
  type DeliveryPage,
  deleteWebhook,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  type ReplayOutcome,
  replay,
  rotateSecret,
  type SendTestOutcome,
  sendTest,
  type WebhookDeps,
} from './manage-webhooks.ts';
export { createSender, type Send, type Sender, type SenderOptions } from './send.ts';
export type { WebhookKey } from './store.ts';
export { type DisabledReason, MAX_WEBHOOKS, type Webhook } from './webhook.ts';
