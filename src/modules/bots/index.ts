export { type Bot, MAX_SPONSORS, ROUND_SECONDS, type Scope } from './bot.ts';
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
export { changeSettings, type NewBot, registerBot, switchBot } from './register-bot.ts';
export { type BotSettings, findBotByUsername, listBots, listBotsOfAccount, type TokenHolder } from './store.ts';
export { createTokenDirectory, type TokenDirectory } from './token-directory.ts';
