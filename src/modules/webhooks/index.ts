export { readDeliveriesDue } from './claim-store.ts';
export { createDeliverer, type Deliverer, type DelivererDeps } from './deliverer.ts';
export { type Endpoint, MAX_ENDPOINTS } from './endpoint.ts';
export type { EndpointKey } from './endpoint-store.ts';
export { WEBHOOK_FORMATS, type WebhookFormat } from './format.ts';
export {
  createEndpoint,
  type DeliveryPage,
  deleteEndpoint,
  type EndpointDeps,
  enableEndpoint,
  listDeliveries,
  listEndpoints,
  replay,
  rotateSecret,
  sendTest,
} from './manage-endpoints.ts';
export { createSender, type Send, type SenderOptions } from './send.ts';
export { checkSignature, type SignatureCheck } from './sign.ts';
