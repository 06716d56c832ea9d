export { type Adjustment, adjustBot, MAX_EXCLUDED_ORDERS, RESOURCE_TYPES, switchOwnBot } from './adjust-bot.ts';
export { announceBotsOf } from './announce-bots.ts';
export { type Bot, MAX_SPONSORS, ROUND_SECONDS, type Scope } from './bot.ts';
export { type ClaimOutcome, claimBot } from './claim-bot.ts';
export {
  GRACE_HOURS,
  grantBeta,
  issueToken,
  listTokens,
  type RotateOutcome,
  type Rotation,
  revokeBeta,
  revokeToken,
  rotateToken,
  type TokenDescription,
} from './manage-tokens.ts';
export { type BotOfAccount, requireOwnBot } from './own-bot.ts';
export { changeSettings, type NewBot, registerBot, switchBot } from './register-bot.ts';
export { listValidTokens, type Renewal, type RenewalOutcome, renewToken } from './renew-token.ts';
export {
  type BotSettings,
  findBot,
  findBotByUsername,
  listBots,
  listBotsOfAccount,
  type TokenHolder,
} from './store.ts';
export { createTokenDirectory, type TokenDirectory } from './token-directory.ts';
