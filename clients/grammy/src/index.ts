export type {
  GateClient,
  GatedKind,
  GateRecord,
  GateSponsor,
  GateStorage,
  GateTexts,
  GateUser,
  SponsorGateOptions,
  TextOverride,
} from '../../gate/src/index.ts';
export { TEXTS } from '../../gate/src/index.ts';
export { sponsorGate } from './sponsor-gate.ts';
