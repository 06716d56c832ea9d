import { MAX_WEBHOOKS } from '../../../modules/webhooks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { webhookActions } from './webhook-actions.ts';
import { webhookList } from './webhook-list.ts';
import { webhookPage } from './webhook-page.ts';

/** Receivers of an account's events. */
export function webhookPages(router: ConsoleRouter, { db, clock, secrets, isSandbox }: ConsoleDeps): void {
  // The sandbox's catcher of webhooks is on this very machine.
  const deps = { db, clock, secrets, allowLoopback: isSandbox };
  webhookList(router, deps, MAX_WEBHOOKS);
  webhookPage(router, deps);
  webhookActions(router, deps);
}
