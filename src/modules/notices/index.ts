export {
  type NewNotice,
  NOTICE_KINDS,
  type Notice,
  type NoticeKind,
  recordNotices,
  recordOperatorNotices,
} from './notice.ts';
export { forgetNotices, postponeNotices, takeNotices } from './store.ts';
