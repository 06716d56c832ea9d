export { type Adjustment, adjustBot, MAX_EXCLUDED_ORDERS, RESOURCE_TYPES, switchOwnBot } from './adjust-bot.ts';
export { type Bot, MAX_SPONSORS, ROUND_SECONDS } from './bot.ts';
export { claimBot } from './claim-bot.ts';
export {
  GRACE_HOURS,
  grantBeta,
  issueToken,
  listTokens,
  revokeBeta,
  revokeToken,
  rotateToken,
  type TokenDescription,
} from './manage-tokens.ts';
export { requireOwnBot } from './own-bot.ts';
export { publishBotsOf } from './publish-bots.ts';
export { changeSettings, registerBot, switchBot } from './register-bot.ts';
export { listValidTokens, renewToken } from './renew-token.ts';
export {
  findBot,
  findBotByUsername,
  listBots,
  listBotsOfAccount,
} from './store.ts';
export { createTokenCache, type TokenCache } from './token-cache.ts';
