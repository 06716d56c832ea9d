export {
  type Broadcast,
  type BroadcastStatus,
  isBroadcastText,
  MAX_BROADCAST_TEXT,
  statusOf as broadcastStatus,
} from './broadcast.ts';
export { type Post, sendBroadcasts } from './send-broadcasts.ts';
export { type StartBroadcastOutcome, startBroadcast } from './start-broadcast.ts';
export { findBroadcast, listBroadcasts, saveStopped as stopBroadcast } from './store.ts';
