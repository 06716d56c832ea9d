/** The gate without a framework, for the packages of frameworks and for bots of your own. */
export type { GateClient, GateSponsor, GateUser } from './client.ts';
export { Gate, type GateInput } from './gate.ts';
export type { CallTelegram } from './messages.ts';
export type { SponsorGateOptions } from './options.ts';
export type { GateRecord, GateStorage } from './storage.ts';
export { type GateTexts, TEXTS, type TextOverride } from './texts.ts';
export type { GatedKind, TelegramUpdate } from './updates.ts';
