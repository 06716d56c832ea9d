import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { botList } from './bot-list.ts';
import { botPage } from './bot-page.ts';
import { botSettings } from './bot-settings.ts';
import { botTokens } from './bot-tokens.ts';
import { explainPage } from './explain-page.ts';

/** The pages of a publisher's bots. */
export function botPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  for (const addPages of [botList, botPage, botSettings, botTokens, explainPage]) addPages(router, deps);
}
