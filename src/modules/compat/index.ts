export { createGate } from './gate.ts';
export {
  forgetTelegramToken,
  type GateMessenger,
  giveTelegramToken,
  type MessageSettings,
  readMessageSettings,
} from './gate-message.ts';
export { snippetsFor } from './snippets.ts';
