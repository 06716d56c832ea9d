import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { webhookActions } from './webhook-actions.ts';
import { webhookList } from './webhook-list.ts';
import { webhookPage } from './webhook-page.ts';

/** The pages of an account's webhook endpoints. */
export function webhookPages(router: ConsoleRouter, { db, clock, secrets, isSandbox }: ConsoleDeps): void {
  // The sandbox receives webhooks on the same machine.
  const deps = { db, clock, secrets, allowLoopback: isSandbox };
  for (const addPages of [webhookList, webhookPage, webhookActions]) addPages(router, deps);
}
