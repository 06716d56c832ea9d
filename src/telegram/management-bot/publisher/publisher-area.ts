import { Area } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { addByForward } from './add-by-forward.ts';
import { addByToken } from './add-by-token.ts';
import { botExclusions } from './bot-exclusions.ts';
import { botIntegration } from './bot-integration.ts';
import { botList } from './bot-list.ts';
import { botPage } from './bot-page.ts';
import { botSettings } from './bot-settings.ts';
import { botStatistics } from './bot-statistics.ts';
import { botTokens } from './bot-tokens.ts';
import { whyNoTasks } from './explain-no-tasks.ts';

/** Everything a publisher does: bots, their tokens, settings and figures. */
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
    botStatistics,
    botIntegration,
    whyNoTasks,
  ]) {
    register(area, deps);
  }
  return area;
}
