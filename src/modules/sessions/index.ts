export { endSessions, findSession, listSessions } from './find-session.ts';
export { type Flash, leaveFlash, takeFlash } from './flash.ts';
export { forgetSessions } from './forget-sessions.ts';
export { CODE_MS, LIFETIMES, type Session, type SessionKind, type SessionOwner, type Theme } from './session.ts';
export {
  type Arrival,
  inspectCode,
  issueCode,
  type SignInOutcome,
  signInByApp,
  signInByCode,
} from './sign-in.ts';
