import { createDeliverer, createSender, type Deliverer } from '../../modules/webhooks/index.ts';
import { webhookRoutes } from '../../modules/webhooks/routes.ts';
import type { Area, Base } from './area.ts';

/** Registers webhook endpoints and the delivery of events to them. */
export function registerWebhooks({
  config,
  db,
  clock,
  secrets,
  mode,
  log,
  metrics,
}: Base): Area & { readonly deliverer: Deliverer; closeSender(): void } {
  const sender = createSender({ allowLoopback: mode.allowsLoopback });
  const deliverer = createDeliverer({
    db,
    clock,
    secrets,
    send: sender.send,
    onError: (err) => log.warn({ err }, 'webhooks'),
    onAttempt: metrics.webhookAttempted,
  });
  return {
    deliverer,
    closeSender: sender.close,
    tokenRoutes: [
      webhookRoutes({ db, clock, secrets, allowLoopback: mode.allowsLoopback, isOpen: config.webhookApi === 'open' }),
    ],
  };
}
