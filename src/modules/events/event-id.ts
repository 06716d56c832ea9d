import { randomBytes } from 'node:crypto';

/** Inside, an event's id is a UUID of version 7; outside it is `evt_` and the same 32 hex digits. */
const PREFIX = 'evt_';
const TIME_DIGITS = 12;
const MAX_ORDINAL = 0xfff;

/**
 * Begins with the time, so that ids sort by age. `ordinal` keeps events of one millisecond and one batch in their order;
 * 62 random bits keep everybody's apart, also after a sandbox was reset: receivers remember ids that they have seen.
 */
export function newEventId(at: Date, ordinal: number): string {
  const random = randomBytes(8);
  random.writeUInt8((random.readUInt8(0) & 0x3f) | 0x80, 0);
  const version = 0x7000 | Math.min(ordinal, MAX_ORDINAL);
  return `${timeDigits(at)}${version.toString(16)}${random.toString('hex')}`;
}

/** Not above the id of any event of that time or later, above all earlier ones. */
export function lowestEventId(at: Date): string {
  return timeDigits(at).padEnd(32, '0');
}

function timeDigits(at: Date): string {
  return Math.max(0, at.getTime()).toString(16).padStart(TIME_DIGITS, '0').slice(-TIME_DIGITS);
}

export function formatEventId(id: string): string {
  return PREFIX + id.replaceAll('-', '');
}

/** Nothing when the text is not an id of ours. */
export function parseEventId(text: string): string | undefined {
  return /^evt_([0-9a-f]{32})$/.exec(text)?.[1];
}
