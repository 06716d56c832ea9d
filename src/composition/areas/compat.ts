import type { Gate as AccessGate } from '../../http/index.ts';
import { botohubRoutes } from '../../modules/compat/botohub/routes.ts';
import { flyerRoutes } from '../../modules/compat/flyer/routes.ts';
import { createGate } from '../../modules/compat/index.ts';
import { piarflowRoutes } from '../../modules/compat/piarflow/routes.ts';
import { subgramRoutes } from '../../modules/compat/subgram/routes.ts';
import { tgrassRoutes } from '../../modules/compat/tgrass/routes.ts';
import { telegramTokenRoutes } from '../../modules/compat/token-routes.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';
import { createGateMessenger } from '../../telegram/index.ts';
import type { Area, Base } from './area.ts';
import type { Telegram } from './telegram.ts';

/** Registers the APIs of other networks over our own task flow. */
export function registerCompat(
  { config, db, clock, secrets }: Base,
  { flow, telegram, access }: { readonly flow: TaskFlow; readonly telegram: Telegram; readonly access: AccessGate },
): Area {
  const deps = {
    db,
    clock,
    secrets,
    access,
    gate: createGate({ db, flow, checksPerSecond: config.checksPerSecond }),
    messenger: createGateMessenger(telegram.api),
    resolver: telegram.resolver,
    publisherSharePercent: config.publisherSharePercent,
    isModerated: config.moderatesOrders,
    operatorIds: new Set(config.operatorIds),
  };
  return {
    tokenRoutes: [telegramTokenRoutes(deps)],
    unguardedRoutes: [
      subgramRoutes(deps),
      flyerRoutes(deps),
      tgrassRoutes(deps),
      piarflowRoutes(deps),
      botohubRoutes(deps),
    ],
  };
}
