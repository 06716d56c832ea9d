export { answerCase } from './answer-case.ts';
export {
  CASE_KINDS,
  type Case,
  type CaseExample,
  type CaseGraph,
  type CaseStatus,
  canAnswer,
  canReverse,
  type FigureName,
  type GraphNode,
  isUndecided,
  MAX_ANSWER,
  type NodeType,
} from './case.ts';
export { type ConnectionBook, createConnectionBook } from './connection-book.ts';
export { disconnect, listConnectedAccounts, reconnect } from './connection-store.ts';
export { exportCase } from './export-case.ts';
export { forgetCases } from './forget-cases.ts';
export { type OpenCasesDeps, openCases, openPayoutCases } from './open-cases.ts';
export { findOverride, type OverrideLevel, saveOverride } from './quality-store.ts';
export {
  countUndecided,
  findCase,
  findOtherHeld,
  listCasesOfAccount,
  listQueue,
  lockCase,
  readOpenCases,
  saveDecision,
  saveFroze,
} from './store.ts';
export { saveModerated } from './suspects-store.ts';
