export { type Bot, MAX_SPONSORS, ROUND_SECONDS, type Scope } from './bot.ts';
export { changeSettings, issueToken, type NewBot, registerBot, switchBot } from './register-bot.ts';
export { type BotSettings, listBots, listBotsOfAccount, type TokenHolder } from './store.ts';
export { createTokenDirectory, type TokenDirectory } from './token-directory.ts';
