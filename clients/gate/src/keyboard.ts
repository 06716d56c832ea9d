import type { GateSponsor } from './client.ts';

/** An inline keyboard of the Bot API. */
export interface Keyboard {
  readonly inline_keyboard: ({ text: string; url: string } | { text: string; callback_data: string })[][];
}

/** Returns a keyboard with one row per sponsor and a confirm button for `userId`. */
export function gateKeyboard(
  sponsors: readonly GateSponsor[],
  { prefix, userId, confirmButton }: { prefix: string; userId: number; confirmButton: string },
): Keyboard {
  const rows = sponsors.map(({ link, title, resource_type: type }) => [
    { text: `${type === 'bot' ? '🤖' : '📢'} ${title.trim() || link}`, url: link },
  ]);
  return { inline_keyboard: [...rows, [{ text: confirmButton, callback_data: `${prefix}:${userId}` }]] };
}

/** Returns the user for whom a button of the gate was made; `undefined` for other buttons. */
export function ownerOfButton(data: string | undefined, prefix: string): number | undefined {
  if (data === undefined || !data.startsWith(`${prefix}:`)) return undefined;
  const id = data.slice(prefix.length + 1);
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}
