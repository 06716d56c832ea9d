import type { Transformer } from 'grammy';

/** A basic group became a supergroup with another id. */
export interface ChatMigration {
  readonly from: number;
  readonly to: number;
}

/**
 * Telegram refuses calls to a group that became a supergroup and returns the new id. Records the migration and repeats
 * the call once with that id.
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
