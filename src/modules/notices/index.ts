export {
  type NewNotice,
  NOTICE_KINDS,
  type Notice,
  type NoticeKind,
  OPERATOR_ONLY,
} from './notice.ts';
export { recordNotices, recordOperatorNotices } from './record-notices.ts';
export { forgetNotices, postponeNotices, takeNotices } from './store.ts';
