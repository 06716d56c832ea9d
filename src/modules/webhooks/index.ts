export { readDeliveriesDue } from './backlog-store.ts';
export { checkSignature, type SignatureVerdict } from './check-signature.ts';
export { createDeliverer, type Deliverer, type DelivererDeps } from './deliver-due.ts';
export {
  createWebhook,
  type DeliveryPage,
  deleteWebhook,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  replay,
  rotateSecret,
  sendTest,
  type WebhookDeps,
} from './manage-webhooks.ts';
export { createSender, type Send, type SenderOptions } from './send.ts';
export type { WebhookKey } from './store.ts';
export { MAX_WEBHOOKS, type Webhook } from './webhook.ts';
