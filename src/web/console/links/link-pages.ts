import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { linkActions } from './link-actions.ts';
import { linkList } from './link-list.ts';
import { linkPage } from './link-page.ts';

/** Smart links. */
export function linkPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  linkList(router, deps);
  linkPage(router, deps);
  linkActions(router, deps);
}
