import { sendBroadcasts } from '../../modules/broadcasts/index.ts';
import type { TaskFlow } from '../../modules/tasks/index.ts';
import {
  type ChatMigration,
  createBotApi,
  createBroadcastPost,
  createChatFollower,
  createCheckBudget,
  type createFloodWaits,
  createResourceResolver,
  learnProfiles,
  migrateChat,
  sendNotices,
} from '../../telegram/index.ts';
import type { Area, Base } from './area.ts';

export type Telegram = ReturnType<typeof openTelegram>;

/** Creates the Bot API client of the service and the budgets of its calls. */
export function openTelegram({ config, db, mode, clock, log, metrics }: Base, floods: FloodWaits) {
  const recordMigration = (migration: ChatMigration): Promise<void> => migrateChat({ db, clock, log }, migration);
  const api = createBotApi({
    apiRoot: mode.apiRoot,
    token: mode.botToken,
    onCall: metrics.telegramCalled,
    onMigration: recordMigration,
  });
  const budget = createCheckBudget(config.checksPerSecond);
  const settlementRate = mode.settlementChecksPerSecond;
  return {
    api,
    floods,
    recordMigration,
    resolver: createResourceResolver(api),
    /** For membership checks during a request. */
    budget,
    /** For membership checks by jobs. */
    jobBudget: settlementRate === undefined ? budget : createCheckBudget(settlementRate),
  };
}

export type FloodWaits = ReturnType<typeof createFloodWaits>;

/** Registers the jobs that call Telegram: profiles, chats, notices and broadcasts. */
export function registerTelegramJobs(
  { db, clock, log }: Base,
  { api, jobBudget }: Telegram,
  flow: TaskFlow,
): Area & { readonly follower: ReturnType<typeof createChatFollower> } {
  const follower = createChatFollower({ db, clock, api, budget: jobBudget, log, loseAccess: flow.loseAccess });
  return {
    follower,
    jobs: [
      {
        name: 'learn-profiles',
        everySeconds: 60,
        run: (signal) => learnProfiles({ db, clock, api, budget: jobBudget }, signal),
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
