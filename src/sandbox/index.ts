import { fileURLToPath } from 'node:url';

export { DEMO_BOT_USERNAME, ensureDemoData, resetToDemoData } from './demo.ts';
export { startDemoBot } from './demo-bot.ts';
export { createInbox } from './inbox.ts';
export { createMovableClock, type MovableClock } from './movable-clock.ts';
export { sandboxPage } from './page.ts';
export { telegramControlRoutes } from './routes-telegram.ts';
export { worldRoutes } from './routes-world.ts';
export { createEmulator, type Emulator, emulatorRoutes } from './telegram/index.ts';
export { createWatch } from './watch.ts';
export { createWorld, sandboxToken, type World } from './world.ts';
export { readSecretKey } from './world-store.ts';

export const sandboxMigrations = {
  set: 'sandbox',
  folder: fileURLToPath(new URL('./migrations/', import.meta.url)),
};
