import { fileURLToPath } from 'node:url';

export { startDemoBot } from './demo-bot.ts';
export { DEMO_BOT_USERNAME, ensureDemoData, resetToDemoData } from './demo-data.ts';
export { createExchangeSetup, sandboxToken } from './exchange-setup.ts';
export { createInbox } from './inbox.ts';
export { createMovableClock, type MovableClock } from './movable-clock.ts';
export { createLivePage } from './page/live-page.ts';
export { sandboxPage } from './page/page.ts';
export { exchangeControlRoutes } from './routes-exchange.ts';
export { telegramControlRoutes } from './routes-telegram.ts';
export { readSecretKey } from './state-store.ts';
export { createEmulator, emulatorRoutes } from './telegram/index.ts';

export const sandboxMigrations = {
  set: 'sandbox',
  folder: fileURLToPath(new URL('./migrations/', import.meta.url)),
};
