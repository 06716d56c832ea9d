export { type BotApi, createBotApi, failureOf } from './bot-api.ts';
export { type CheckBudget, createCheckBudget } from './check-budget.ts';
export { createMembershipProbe } from './membership-probe.ts';
export { createServiceBot, type ServiceBotDeps } from './service-bot.ts';
export { ALLOWED_UPDATES, pollUpdates } from './updates.ts';
export { telegramWebhookRoute, WEBHOOK_PATH } from './webhook-route.ts';
