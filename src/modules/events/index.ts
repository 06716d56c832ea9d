export { formatEventId, lowestEventId, parseEventId } from './event-id.ts';
export { EVENT_DAYS, forgetOldEvents } from './forget-events.ts';
export { recordEvents, recordTestEvent } from './record-events.ts';
export { EVENT_DATA, EVENT_TYPES, type EventType, type NewEvent } from './registry.ts';
export { findListeners } from './store.ts';
