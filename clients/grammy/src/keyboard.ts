import { InlineKeyboard } from 'grammy';
import type { GateSponsor } from './client.ts';

/** Returns a keyboard with one row per sponsor and a confirm button for `userId`. */
export function gateKeyboard(
  sponsors: readonly GateSponsor[],
  { prefix, userId, confirmButton }: { prefix: string; userId: number; confirmButton: string },
): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  for (const { link, title, resource_type: type } of sponsors) {
    keyboard.url(`${type === 'bot' ? '🤖' : '📢'} ${title.trim() || link}`, link).row();
  }
  return keyboard.text(confirmButton, `${prefix}:${userId}`);
}

/** Returns the user for whom a button of the gate was made; `undefined` for other buttons. */
export function ownerOfButton(data: string | undefined, prefix: string): number | undefined {
  if (data === undefined || !data.startsWith(`${prefix}:`)) return undefined;
  const id = data.slice(prefix.length + 1);
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}
