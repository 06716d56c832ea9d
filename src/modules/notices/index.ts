export { type NewNotice, NOTICE_KINDS, type Notice, type NoticeKind, type NoticeOf } from './notice.ts';
export { recordNotices } from './record-notices.ts';
export { forgetNotices, postponeNotices, takeNotices } from './store.ts';
