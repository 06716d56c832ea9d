export { createGate, type Gate } from './gate.ts';
export {
  forgetTelegramToken,
  type GateMessenger,
  hasTelegramToken,
  type MessageDeps,
  saveTelegramToken,
} from './gate-message.ts';
export { type Snippet, snippetsFor } from './snippets.ts';
