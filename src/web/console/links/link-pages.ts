import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { linkActions } from './link-actions.ts';
import { linkList } from './link-list.ts';
import { linkPage } from './link-page.ts';

/** The pages of smart links. */
export function linkPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  for (const addPages of [linkList, linkPage, linkActions]) addPages(router, deps);
}
