export { type Bot, MAX_SPONSORS, ROUND_SECONDS } from './bot.ts';
export {
  type Adjustment,
  adjustBot,
  botTokenIn,
  changeSettings,
  claimBot,
  MAX_EXCLUDED_ORDERS,
  publishBotsOf,
  RESOURCE_TYPES,
  registerBot,
  requireOwnBot,
  switchBot,
  switchOwnBot,
} from './manage-bots.ts';
export {
  GRACE_HOURS,
  grantBeta,
  issueToken,
  listTokens,
  listValidTokens,
  renewToken,
  revokeBeta,
  revokeToken,
  rotateToken,
  type TokenDescription,
} from './manage-tokens.ts';
export {
  findBot,
  findBotByUsername,
  listBots,
  listBotsOfAccount,
} from './store.ts';
export { createTokenCache, type TokenCache } from './token-cache.ts';
