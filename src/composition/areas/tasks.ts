import type { ConnectionBook } from '../../modules/cases/index.ts';
import type { SmartLinks } from '../../modules/links/index.ts';
import type { OrderBook } from '../../modules/orders/index.ts';
import type { QualityBook } from '../../modules/quality/index.ts';
import { confirmRoutes } from '../../modules/tasks/confirm/routes.ts';
import { createTaskFlow, type TaskFlow } from '../../modules/tasks/index.ts';
import { postbackRoutes } from '../../modules/tasks/settle/postback-routes.ts';
import { showRoutes } from '../../modules/tasks/show/routes.ts';
import { createMembershipChecker } from '../../telegram/index.ts';
import type { Area, Base } from './area.ts';
import type { Telegram } from './telegram.ts';

/** Registers get-sponsors, confirm-subscription, postbacks and settlement. */
export function registerTasks(
  { config, db, clock, secrets, metrics, mode, publicUrl }: Base,
  {
    book,
    connections,
    quality,
    links,
    telegram,
  }: {
    readonly book: OrderBook;
    readonly connections: ConnectionBook;
    readonly quality: QualityBook;
    readonly links: SmartLinks;
    readonly telegram: Telegram;
  },
): Area & { readonly flow: TaskFlow } {
  const { api, bots, budgetOf, jobBudgetOf, floods } = telegram;
  const { miniAppLink } = mode;
  const flow = createTaskFlow({
    db,
    clock,
    book,
    secrets,
    membershipChecker: createMembershipChecker({
      api,
      bots,
      secrets,
      budgetOf,
      turnsOf: jobBudgetOf,
      floods,
    }),
    checkerIds: bots.ids,
    checkerName: bots.nameOf,
    replaceChecker: telegram.replaceChecker,
    reservationSeconds: config.reservationSeconds,
    reservationsOfNewBot: config.reservationsOfNewBot,
    operatorIds: new Set(config.operatorIds),
    candidateCheckMs: config.candidateCheckMs,
    unknownCharge: config.unknownCharge,
    quality,
    userLimits: config.userLimits,
    connections,
    // The publisher has agreed to tell the users what the link learns; docs/privacy.md has the text.
    personalLink: (task) => `${publicUrl()}${links.personalTaskPath(task)}&consent=1`,
    humanCheck:
      config.humanCheck === undefined || miniAppLink === undefined
        ? undefined
        : {
            strength: config.humanCheck.strength,
            link: (task) => `${miniAppLink}?startapp=${links.personalStartParam(task)}`,
          },
    onFlush: metrics.flushed,
  });
  return {
    flow,
    publicRoutes: [postbackRoutes(flow)],
    tokenRoutes: [showRoutes(flow), confirmRoutes(flow)],
    jobs: [
      { name: 'expire-tasks', everySeconds: 60, run: flow.expireTasks },
      // Must come before settle-tasks, which depends on verified access.
      { name: 'verify-access', everySeconds: 30, run: flow.verifyAccess },
      { name: 'settle-tasks', everySeconds: 10, run: flow.settleDue },
      {
        name: 'check-stays',
        everySeconds: 60,
        run: (signal) => flow.checkStays(config.quality.isOn ? config.quality.samplePercent : 0, signal),
      },
    ],
  };
}
