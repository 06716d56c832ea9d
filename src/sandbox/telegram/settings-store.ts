import type { Queryable } from '../../core/database.ts';

export const MAX_NAME = 64;
export const MAX_DESCRIPTION = 512;
export const MAX_SHORT_DESCRIPTION = 120;

/** Counts code points, so that an emoji is one character. */
export const lengthOf = (text: string): number => [...text].length;

export type Setting = 'commands' | 'name' | 'description' | 'short_description';

interface SettingKey {
  readonly setting: Setting;
  readonly scope?: string | undefined;
  /** Empty: for every language without a value of its own. */
  readonly language: string;
}

/** Returns the value for exactly this scope and language. */
export async function readSetting(db: Queryable, botId: number, key: SettingKey): Promise<unknown> {
  const [row] = await db.query<{ value: unknown }>(
    `SELECT value FROM sandbox.tg_bot_settings
     WHERE bot_id = $1 AND setting = $2 AND scope = $3 AND language_code = $4`,
    [botId, key.setting, key.scope ?? '', key.language],
  );
  return row?.value;
}

/** Stores the value; `undefined` removes it. */
export async function writeSetting(db: Queryable, botId: number, key: SettingKey, value: unknown): Promise<void> {
  const place = [botId, key.setting, key.scope ?? '', key.language];
  if (value === undefined) {
    await db.query(
      `DELETE FROM sandbox.tg_bot_settings
       WHERE bot_id = $1 AND setting = $2 AND scope = $3 AND language_code = $4`,
      place,
    );
    return;
  }
  await db.query(
    `INSERT INTO sandbox.tg_bot_settings (bot_id, setting, scope, language_code, value) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (bot_id, setting, scope, language_code) DO UPDATE SET value = excluded.value`,
    [...place, JSON.stringify(value)],
  );
}

export interface BotCommand {
  readonly command: string;
  readonly description: string;
}

export interface ShownSettings {
  readonly commands: readonly BotCommand[];
  /** Shown in a chat without messages. */
  readonly description: string;
}

/** Returns what a person sees in a private chat: the first match in Telegram's order of scopes and languages. */
export async function readShownSettings(
  db: Queryable,
  botId: number,
  { userId, language }: { readonly userId: number; readonly language: string },
): Promise<ShownSettings> {
  const rows = await db.query<{ setting: Setting; value: unknown }>(
    `SELECT DISTINCT ON (setting) setting, value FROM sandbox.tg_bot_settings
     WHERE bot_id = $1 AND setting IN ('commands', 'description') AND language_code IN ('', $2) AND scope = ANY ($3::text[])
     ORDER BY setting, array_position($3::text[], scope), language_code DESC`,
    [botId, language, [`chat:${userId}`, 'all_private_chats', '']],
  );
  const shown = (wanted: Setting): unknown => rows.find(({ setting }) => setting === wanted)?.value;
  return {
    commands: (shown('commands') ?? []) as BotCommand[],
    description: (shown('description') ?? '') as string,
  };
}

export async function readMenuButton(db: Queryable, botId: number): Promise<object | null> {
  const [row] = await db.query<{ menu_button: object | null }>(
    'SELECT menu_button FROM sandbox.tg_bots WHERE bot_id = $1',
    [botId],
  );
  return row?.menu_button ?? null;
}

export async function writeMenuButton(db: Queryable, botId: number, button: object | null): Promise<void> {
  await db.query('UPDATE sandbox.tg_bots SET menu_button = $2 WHERE bot_id = $1', [
    botId,
    button && JSON.stringify(button),
  ]);
}

/** Sets the name for every language without one of its own. */
export async function writeName(db: Queryable, botId: number, name: string): Promise<void> {
  await db.query('UPDATE sandbox.tg_users SET first_name = $2 WHERE user_id = $1', [botId, name]);
}
