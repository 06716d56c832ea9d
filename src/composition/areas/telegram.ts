import { sendBroadcasts } from '../../modules/broadcasts/index.ts';
import { endConflict, recordConflict } from '../../modules/checkers/index.ts';
import type { Resource } from '../../modules/orders/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';
import {
  botIdIn,
  buildCheckerBot,
  type ChatMigration,
  type CheckerIntake,
  createBotApi,
  createBroadcastPost,
  createBudgetPerBot,
  createChatFollower,
  createCheckerBots,
  createDatabaseShares,
  type createFloodWaits,
  createRedisShares,
  createResourceResolver,
  createSharedBudgets,
  createSharesWithFallback,
  greetAtChecker,
  handOverChannels,
  hearFloods,
  learnProfiles,
  migrateChat,
  recordChatAccess,
  replaceChecker,
  type ServiceBot,
  sendNotices,
  takeOver,
} from '../../telegram/index.ts';
import type { Area, Base } from './area.ts';

export type Telegram = ReturnType<typeof openTelegram>;

/** Creates the Bot API client of the service and the budgets of its calls. */
export function openTelegram({ config, db, mode, clock, secrets, log, metrics, redis }: Base, floods: FloodWaits) {
  const recordMigration = (migration: ChatMigration): Promise<void> => migrateChat({ db, clock, log }, migration);
  const api = createBotApi({
    apiRoot: mode.apiRoot,
    token: mode.botToken,
    onCall: metrics.telegramCalled,
    onMigration: recordMigration,
  });
  const managementBotId = botIdIn(mode.botToken);
  const operatorIds = new Set(config.operatorIds);
  const bots = createCheckerBots({ db, clock, api, secrets, managementBotId, operatorIds, log });
  const inDatabase = createDatabaseShares(db);
  const store =
    redis === undefined ? inDatabase : createSharesWithFallback(redis, createRedisShares(redis), inDatabase);
  const budgets = createSharedBudgets({ store, perSecond: config.checksPerSecond, managementBotId, log });
  const settlementRate = mode.settlementChecksPerSecond;
  return {
    api,
    bots,
    managementBotId,
    floods,
    recordMigration,
    resolver: createResourceResolver({ api, bots, db }),
    /** For membership checks during a request, by the Telegram id of the bot that checks. */
    budgetOf: budgets.of,
    /** For membership checks by jobs. */
    jobBudgetOf: settlementRate === undefined ? budgets.of : createBudgetPerBot(settlementRate),
    /** Gives a channel to another of our bots that is an administrator there. */
    replaceChecker: (resource: Resource) => replaceChecker({ db, clock, bots, log }, resource),
    /** Starts to share lists, budgets and flood waits with the other processes. */
    async startSharing(): Promise<{ close(): Promise<void> }> {
      await bots.reload();
      await budgets.start();
      const heard = await hearFloods(db, floods);
      return {
        async close() {
          await heard.close();
          await budgets.stop();
        },
      };
    },
  };
}

export type FloodWaits = ReturnType<typeof createFloodWaits>;

/** Registers the jobs that call Telegram: profiles, chats, notices and broadcasts. */
export function registerTelegramJobs(
  { db, clock, log }: Base,
  { api, bots, managementBotId, jobBudgetOf }: Telegram,
  flow: TaskFlow,
): Area & { readonly follower: ReturnType<typeof createChatFollower> } {
  const follower = createChatFollower({ db, clock, bots, budgetOf: jobBudgetOf, log, loseAccess: flow.loseAccess });
  return {
    follower,
    jobs: [
      {
        name: 'learn-profiles',
        everySeconds: 60,
        run: (signal) => learnProfiles({ db, clock, api, budget: jobBudgetOf(managementBotId) }, signal),
      },
      {
        name: 'hand-over-channels',
        everySeconds: 5,
        run: (signal) => handOverChannels({ db, clock, bots, log, pauseOrders: flow.pauseResource }, signal),
      },
      { name: 'follow-chats', everySeconds: 600, run: follower.followDue },
      { name: 'send-notices', everySeconds: 5, run: (signal) => sendNotices({ db, clock, api, log }, signal) },
      {
        name: 'send-broadcasts',
        everySeconds: 5,
        run: (signal) => sendBroadcasts({ db, clock, post: createBroadcastPost(api) }, signal),
      },
    ],
  };
}

/** Returns how the updates of checker bots are handled: as those of the management bot, without its menus. */
export function openCheckerIntake(
  { config, db, clock, mode, log, metrics }: Base,
  { bots, recordMigration }: Telegram,
  {
    flow,
    serviceBot,
    noticeChat,
  }: {
    readonly flow: TaskFlow;
    readonly serviceBot: ServiceBot;
    readonly noticeChat: Parameters<typeof buildCheckerBot>[0]['noticeChat'];
  },
): CheckerIntake {
  const operatorIds = new Set(config.operatorIds);
  return {
    bots,
    open({ botId, token }) {
      const bot = buildCheckerBot({
        token,
        apiRoot: mode.apiRoot,
        clock,
        recordMembership: flow.recordMembership,
        recordMigration,
        noticeChat,
        onCall: metrics.telegramCalled,
        recordChatAccess: (change) =>
          recordChatAccess(
            {
              db,
              clock,
              api: bot.api,
              checkerId: botId,
              gainAccess: (chatId, checkerId) => takeOver({ db, clock, bots, log }, chatId, checkerId),
              loseAccess: flow.loseChecker,
            },
            change,
          ),
        async handOver(update) {
          const management = serviceBot();
          if (!management.isInited()) management.botInfo = await management.api.getMe();
          await management.handleUpdate(update);
        },
        greet: async (languageCode) => greetAtChecker(languageCode, (await bots.managementBot())?.username),
      });
      return bot;
    },
    async recordConflict({ botId, username }, isConflict) {
      await db.transaction((tx) =>
        isConflict ? recordConflict(tx, { botId, username, at: clock.now(), operatorIds }) : endConflict(tx, botId),
      );
    },
  };
}
