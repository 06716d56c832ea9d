import { Type } from 'typebox';

/** The largest integer that every JSON parser reads exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

export const UserId = Type.Integer({ minimum: 1, maximum: MAX_ID, description: "The user's Telegram id." });
