import { randomBytes } from 'node:crypto';

/** The database stores a UUID of version 7. The API and the deliveries show `evt_` and the same 32 hex digits. */
const PREFIX = 'evt_';
const TIME_DIGITS = 12;
const MAX_ORDINAL = 0xfff;

/**
 * Returns an id that begins with the time, so that ids sort by age. `ordinal` orders events of one batch. The 62 random
 * bits keep ids unique even after a sandbox reset: endpoints store the ids that they have processed.
 */
export function newEventId(at: Date, ordinal: number): string {
  const random = randomBytes(8);
  random.writeUInt8((random.readUInt8(0) & 0x3f) | 0x80, 0);
  const version = 0x7000 | Math.min(ordinal, MAX_ORDINAL);
  return `${timeDigits(at)}${version.toString(16)}${random.toString('hex')}`;
}

/** Returns a lower bound: no event of this time or later has a smaller id, and every earlier event has. */
export function lowestEventId(at: Date): string {
  return timeDigits(at).padEnd(32, '0');
}

function timeDigits(at: Date): string {
  return Math.max(0, at.getTime()).toString(16).padStart(TIME_DIGITS, '0').slice(-TIME_DIGITS);
}

export function formatEventId(id: string): string {
  return PREFIX + id.replaceAll('-', '');
}

/** Returns `undefined` when the text is not an event id. */
export function parseEventId(text: string): string | undefined {
  return /^evt_([0-9a-f]{32})$/.exec(text)?.[1];
}
