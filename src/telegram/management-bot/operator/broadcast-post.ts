import type { Post } from '../../../modules/broadcasts/index.ts';
import { type BotApi, failureOf } from '../../bot-api.ts';

/** Sends the text of a broadcast as it was typed, without markup. */
export const createBroadcastPost =
  (api: BotApi): Post =>
  async (telegramUserId, text) => {
    try {
      await api.service.sendMessage(telegramUserId, text);
      return { kind: 'sent' };
    } catch (error) {
      const failure = failureOf(error);
      return failure.kind === 'refused' ? { kind: 'refused' } : failure;
    }
  };
