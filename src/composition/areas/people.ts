import { systemClock } from '../../core/clock.ts';
import type { Gate } from '../../http/index.ts';
import type { TokenCache } from '../../modules/bots/index.ts';
import type { ContestDeps } from '../../modules/contests/index.ts';
import { geoDatabases } from '../../modules/links/index.ts';
import type { Postback } from '../../modules/orders/index.ts';
import type { PayoutDeps } from '../../modules/payouts/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';
import {
  createGateMessenger,
  createOwnerTelegram,
  createServiceBot,
  inspectChecker,
  managementBot,
  recordChatAccess,
  type ServiceBot,
} from '../../telegram/index.ts';
import { consoleRoutes } from '../../web/console/index.ts';
import type { Area, Base } from './area.ts';
import type { Telegram } from './telegram.ts';

interface Parts {
  readonly telegram: Telegram;
  readonly flow: TaskFlow;
  readonly payouts: PayoutDeps;
  readonly contests: ContestDeps;
  readonly postbackOf: (orderId: number) => Postback;
}

/** Returns the dependencies that the management bot and the console share. */
function sharedDeps({ config, db, reports, clock, secrets, publicUrl }: Base, { telegram, ...parts }: Parts) {
  return {
    ...parts,
    db,
    reports,
    clock,
    secrets,
    publicUrl,
    resolver: telegram.resolver,
    bots: telegram.bots,
    managementBotId: telegram.managementBotId,
    operatorIds: new Set(config.operatorIds),
    supportContact: config.supportContact,
    hasCityData: geoDatabases().some(({ name, isPresent }) => name === 'city' && isPresent),
    unknownCharge: config.unknownCharge,
    qualitySettings: config.quality,
    publisherSharePercent: config.publisherSharePercent,
    isModerated: config.moderatesOrders,
    payoutReviewAboveKopecks: config.payoutReviewAboveKopecks,
  };
}

/** Creates the service's bot, which receives membership updates and contains the management bot. */
export function createBot(
  base: Base,
  { tokens, noticeChat, ...parts }: Parts & Pick<BotParts, 'tokens' | 'noticeChat'>,
): ServiceBot {
  const { db, clock, log, mode, metrics } = base;
  const { api, recordMigration } = parts.telegram;
  const { loseChecker, recordMembership } = parts.flow;
  return createServiceBot({
    token: mode.botToken,
    apiRoot: mode.apiRoot,
    clock,
    recordMembership,
    onCall: metrics.telegramCalled,
    recordChatAccess: (change) =>
      recordChatAccess(
        {
          db,
          clock,
          api: api.service,
          checkerId: null,
          gainAccess: async () => undefined,
          loseAccess: loseChecker,
        },
        change,
      ),
    recordMigration,
    noticeChat,
    management: managementBot({
      ...sharedDeps(base, parts),
      log,
      api,
      tokens,
      allowLoopback: mode.allowsLoopback,
      sandbox: mode.sandbox,
    }),
  });
}

interface BotParts {
  readonly tokens: TokenCache;
  readonly noticeChat: Parameters<typeof createServiceBot>[0]['noticeChat'];
}

export function registerConsole(base: Base, { gate, ...parts }: Parts & { readonly gate: Gate }): Area {
  const { botToken, sandbox } = base.mode;
  const isSandbox = sandbox !== undefined;
  // In a sandbox the management bot lives in the phone of the sandbox's page.
  const urlOf = (username: string): string => (isSandbox ? '/sandbox' : `https://t.me/${username}`);
  const { api, bots, managementBotId } = parts.telegram;
  const { db, publicUrl } = base;
  const telegram = {
    ...createOwnerTelegram({ api, bots, db }, urlOf),
    inspectChecker: (text: string) => inspectChecker({ api, db, managementBotId, publicUrl }, text),
  };
  const messenger = createGateMessenger(api);
  const deps = {
    ...sharedDeps(base, parts),
    sessionClock: systemClock,
    gate,
    botToken,
    isSandbox,
    telegram,
    messenger,
  };
  return { unguardedRoutes: [consoleRoutes(deps)] };
}
