export type { ChatMigration } from './bot-api.ts';
export { createBotApi } from './bot-api.ts';
export { createOwnerTelegram, recordChatAccess } from './chat-access.ts';
export { createBudgetPerBot, createCheckBudget } from './check-budget.ts';
export { describeBot } from './describe-bot.ts';
export { createFloodWaits } from './flood-waits.ts';
export { createChatFollower } from './follow-chats.ts';
export { createGateMessenger } from './gate-messenger.ts';
export {
  type Asked,
  type BotInspector,
  createBotInspector,
  type UpdatesState,
  webhookUrlOf,
} from './inspect-bot.ts';
export { createPollingIntake, createWebhookIntake, type Intake } from './intake.ts';
export { learnProfiles } from './learn-profiles.ts';
export type { ManagementBotDeps } from './management-bot/deps.ts';
export { DIALOGUE_DAYS, forgetDialogues } from './management-bot/forget-dialogues.ts';
export { managementBot } from './management-bot/management-bot.ts';
export { sendNotices } from './management-bot/notices.ts';
export { createBroadcastPost } from './management-bot/operator/broadcasts.ts';
export { createMembershipChecker } from './membership-checker.ts';

export { migrateChat } from './migrate-chat.ts';
export { createResourceResolver } from './resource-resolver.ts';
export { createServiceBot, type ServiceBot } from './service-bot.ts';
