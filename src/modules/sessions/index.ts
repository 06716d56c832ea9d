export { endSessions, findSession, forgetSessions, listSessions } from './find-session.ts';
export { type Flash, leaveFlash, takeFlash } from './flash.ts';
export { LIFETIMES, type Session, type SessionKind, type SessionOwner, type Theme } from './session.ts';
export {
  inspectCode,
  issueCode,
  signInByApp,
  signInByCode,
} from './sign-in.ts';
