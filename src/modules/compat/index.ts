export { createGate } from './gate.ts';
export type { GateMessenger } from './gate-message.ts';
export { snippetsFor } from './snippets.ts';
