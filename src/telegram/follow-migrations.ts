import type { Transformer } from 'grammy';

/** A basic group has become a supergroup, which has another id. */
export interface ChatMigration {
  readonly from: number;
  readonly to: number;
}

/**
 * Telegram refuses calls to a group that has become a supergroup and names the new id. The migration is recorded, and the
 * call is made again, once, with that id: the caller does not notice.
 */
export const followMigrations =
  (onMigration: (migration: ChatMigration) => Promise<void>): Transformer =>
  async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal);
    const to = answer.ok ? undefined : answer.parameters?.migrate_to_chat_id;
    const from = 'chat_id' in payload ? Number(payload.chat_id) : Number.NaN;
    if (to === undefined || !Number.isSafeInteger(from)) return answer;
    await onMigration({ from, to });
    return call(method, { ...payload, chat_id: to }, signal);
  };
