export { type CheckerInspection, inspectChecker } from './add-checker.ts';
export type { ChatMigration } from './bot-api.ts';
export { createBotApi } from './bot-api.ts';
export { createOwnerTelegram, recordChatAccess } from './chat-access.ts';
export { createBudgetPerBot, createCheckBudget } from './check-budget.ts';
export { createSharedBudgets } from './check-shares.ts';
export { botIdIn, type CheckerBots, createCheckerBots } from './checker-bots.ts';
export { describeBot } from './describe-bot.ts';
export { createFloodWaits } from './flood-waits.ts';
export { createChatFollower } from './follow-chats.ts';
export { createGateMessenger } from './gate-messenger.ts';
export {
  type BotInspector,
  type CallResult,
  createBotInspector,
  type UpdatesState,
  webhookUrlOf,
} from './inspect-bot.ts';
export { type CheckerIntake, createPollingIntake, createWebhookIntake, type Intake } from './intake.ts';
export { learnProfiles } from './learn-profiles.ts';
export type { ManagementBotDeps } from './management-bot/deps.ts';
export { DIALOGUE_DAYS, forgetDialogues } from './management-bot/forget-dialogues.ts';
export { greetAtChecker, managementBot } from './management-bot/management-bot.ts';
export { sendNotices } from './management-bot/notices.ts';
export { createBroadcastPost } from './management-bot/operator/broadcasts.ts';
export { createMembershipChecker } from './membership-checker.ts';
export { migrateChat } from './migrate-chat.ts';
export { createRedisShares, createSharesWithFallback } from './redis-shares.ts';
export { handOverChannels, replaceChecker, takeOver } from './replace-checker.ts';
export { createResourceResolver } from './resource-resolver.ts';
export { buildCheckerBot, createServiceBot, type ServiceBot } from './service-bot.ts';
export { hearFloods, tellFloods } from './share-floods.ts';
export { createDatabaseShares } from './share-store.ts';
