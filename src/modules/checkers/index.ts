export {
  endConflict,
  forgetChecker,
  type NewChecker,
  openToken,
  recordConflict,
  removeChecker,
  revokeChecker,
  saveChecker,
} from './change-checkers.ts';
export { type Checker, listCheckers } from './store.ts';
