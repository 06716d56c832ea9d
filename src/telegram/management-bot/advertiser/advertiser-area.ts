import { Area, type BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { overviewScreen } from './filters/filter-screens.ts';
import { NEW_ORDER, openSession } from './filters/filter-session.ts';
import { filtersArea } from './filters/filters-area.ts';
import { orderActionsArea } from './order-actions.ts';
import { orderListArea, orderPageArea, showOrder } from './order-page.ts';
import { orderSourcesArea } from './order-sources.ts';
import { orderStatisticsArea } from './order-statistics.ts';
import { orderTimetableArea, timetableArea, timetableSteps } from './timetable.ts';
import { createWizard, type Wizard, wizardArea } from './wizard.ts';
import { botArea, botSteps } from './wizard-bot.ts';
import { chatArrivals, resourceArea, resourceSteps } from './wizard-resource.ts';
import { summaryArea, summarySteps } from './wizard-summary.ts';
import { holdArea, holdSteps, termsArea, termsSteps } from './wizard-terms.ts';

/** The steps of a new order. A missing step does not compile. */
function orderWizard(deps: ManagementBotDeps): Wizard {
  return createWizard({
    ...resourceSteps(deps),
    ...botSteps,
    ...termsSteps(deps),
    ...timetableSteps,
    ...holdSteps,
    async users(ctx) {
      const screen = await overviewScreen(deps, ctx, await openSession(deps, ctx, NEW_ORDER));
      return { ...screen, hasOwnWay: true };
    },
    ...summarySteps(deps),
  });
}

/** The advertiser's menus. */
export function advertiserArea(deps: ManagementBotDeps): Area {
  const wizard = orderWizard(deps);
  const showPage = (ctx: BotContext, orderId: number): Promise<void> => showOrder(deps, ctx, orderId);
  const area = new Area();
  area.use(orderListArea(deps), orderPageArea(deps), orderActionsArea(deps), orderTimetableArea(deps));
  area.use(orderSourcesArea(deps), orderStatisticsArea(deps), filtersArea(deps, wizard, showPage));
  area.use(wizardArea(deps, wizard), resourceArea(deps, wizard), botArea(deps, wizard), termsArea(wizard));
  area.use(timetableArea(wizard), holdArea(wizard), summaryArea(deps, wizard, showPage));
  return area;
}

/** Handles the bot being added to a chat, for which the wizard may be waiting. */
export const advertiserArrivals = (deps: ManagementBotDeps) => chatArrivals(deps, orderWizard(deps));
