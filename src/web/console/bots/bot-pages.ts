import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { botList } from './bot-list.ts';
import { botPage } from './bot-page.ts';
import { botSettings } from './bot-settings.ts';
import { botTokens } from './bot-tokens.ts';
import { explainPage } from './explain-page.ts';

/** A publisher's bots. */
export function botPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  botList(router, deps);
  botPage(router, deps);
  botSettings(router, deps);
  botTokens(router, deps);
  explainPage(router, deps);
}
