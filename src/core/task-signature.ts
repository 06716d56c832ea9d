/** A user's task. The bot is that of the key. */
export interface TaskName {
  readonly userId: number;
  readonly orderId: number;
}

/** Names a task of the caller's own bot, which the caller could name in other ways too, so it needs no secret. */
export const formatSignature = ({ userId, orderId }: TaskName): string =>
  `${userId.toString(36)}-${orderId.toString(36)}`;

export function parseSignature(signature: string): TaskName | undefined {
  const match = /^([1-9a-z][0-9a-z]{0,10})-([1-9a-z][0-9a-z]{0,10})$/.exec(signature);
  const userId = Number.parseInt(match?.[1] ?? '', 36);
  const orderId = Number.parseInt(match?.[2] ?? '', 36);
  return Number.isSafeInteger(userId) && Number.isSafeInteger(orderId) ? { userId, orderId } : undefined;
}
