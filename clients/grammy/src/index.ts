export type { GateClient, GateSponsor, GateUser } from './client.ts';
export type { SponsorGateOptions } from './options.ts';
export { sponsorGate } from './sponsor-gate.ts';
export { type GateTexts, TEXTS, type TextOverride } from './texts.ts';
