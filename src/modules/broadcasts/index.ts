export {
  type Broadcast,
  type BroadcastStatus,
  isBroadcastText,
  MAX_BROADCAST_TEXT,
  type StartBroadcastOutcome,
  startBroadcast,
  statusOf as broadcastStatus,
} from './broadcast.ts';
export { type Post, sendBroadcasts } from './send-broadcasts.ts';
export { findBroadcast, listBroadcasts, saveStopped as stopBroadcast } from './store.ts';
