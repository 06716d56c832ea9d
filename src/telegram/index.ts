export { type BotApi, createBotApi, failureOf } from './bot-api.ts';
export { type CheckBudget, createCheckBudget } from './check-budget.ts';
export { createPollingIntake, createWebhookIntake, type Intake } from './intake.ts';
export { type LearnDeps, learnProfiles } from './learn-profiles.ts';
export { greetWith } from './management-bot/greeting.ts';
export { createMembershipProbe } from './membership-probe.ts';
export { createResourceResolver } from './resource-resolver.ts';
export { createServiceBot, type ServiceBotDeps } from './service-bot.ts';
export { tellAccessLost, tellWebhookDisabled } from './tell-owner.ts';
