import { fileURLToPath } from 'node:url';

export { ensureDemoData, resetToDemoData } from './demo.ts';
export { createInbox } from './inbox.ts';
export { createMovableClock, type MovableClock } from './movable-clock.ts';
export { sandboxPage } from './page.ts';
export { telegramControlRoutes } from './routes-telegram.ts';
export { worldRoutes } from './routes-world.ts';
export { createEmulator, type Emulator, emulatorRoutes } from './telegram/index.ts';
export { createWorld, sandboxToken, type World } from './world.ts';
export { readSecretKey } from './world-store.ts';

export const sandboxMigrations = {
  set: 'sandbox',
  folder: fileURLToPath(new URL('./migrations/', import.meta.url)),
};
