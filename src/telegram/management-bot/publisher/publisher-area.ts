import { Area } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { addByForward, addByToken } from './add-bot.ts';
import { botIntegration } from './bot-integration.ts';
import { botList, botPage } from './bot-page.ts';
import { botExclusions, botSettings } from './bot-settings.ts';
import { botStatistics } from './bot-statistics.ts';
import { botTokens } from './bot-tokens.ts';
import { explainNoTasks } from './explain-no-tasks.ts';
import { gateMessages } from './gate-messages.ts';
import { webhooks } from './webhooks.ts';

/** The publisher's menus: bots, tokens, settings and statistics. */
export function publisherArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  for (const register of [
    botList,
    addByToken,
    addByForward,
    botPage,
    botTokens,
    botSettings,
    botExclusions,
    gateMessages,
    botStatistics,
    botIntegration,
    explainNoTasks,
    webhooks,
  ]) {
    register(area, deps);
  }
  return area;
}
