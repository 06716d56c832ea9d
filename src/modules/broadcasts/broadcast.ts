/** A text that an operator sends to everybody. */
export interface Broadcast {
  readonly id: number;
  readonly textRu: string;
  readonly textEn: string;
  /** The operator's Telegram id. */
  readonly createdBy: number;
  readonly createdAt: Date;
  /** How many accounts there were when it began. */
  readonly total: number;
  readonly sent: number;
  /** Those who blocked the bot, or never started it. */
  readonly failed: number;
  readonly finishedAt: Date | null;
  readonly cancelledAt: Date | null;
}

export type BroadcastStatus = 'sending' | 'finished' | 'stopped';

export function statusOf({ finishedAt, cancelledAt }: Broadcast): BroadcastStatus {
  if (cancelledAt !== null) return 'stopped';
  return finishedAt === null ? 'sending' : 'finished';
}

/** Both texts of a broadcast fit on one screen, so that an operator sees all of it before it goes out. */
export const MAX_BROADCAST_TEXT = 1_800;

export function isBroadcastText(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_BROADCAST_TEXT && !text.includes('\0');
}
