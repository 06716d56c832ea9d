/** A text that an operator sends to all accounts. */
export interface Broadcast {
  readonly id: number;
  readonly textRu: string;
  readonly textEn: string;
  /** The operator's Telegram id. */
  readonly createdBy: number;
  readonly createdAt: Date;
  /** The number of accounts when the broadcast began. */
  readonly total: number;
  readonly sent: number;
  /** Recipients who blocked the bot, never started it or could not be reached. */
  readonly failed: number;
  readonly finishedAt: Date | null;
  readonly cancelledAt: Date | null;
}

export type BroadcastStatus = 'sending' | 'finished' | 'stopped';

export function statusOf({ finishedAt, cancelledAt }: Broadcast): BroadcastStatus {
  if (cancelledAt !== null) return 'stopped';
  return finishedAt === null ? 'sending' : 'finished';
}

/** Both texts fit on one screen, so that the operator sees all of the broadcast before it is sent. */
export const MAX_BROADCAST_TEXT = 1_800;

export function isBroadcastText(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_BROADCAST_TEXT && !text.includes('\0');
}
