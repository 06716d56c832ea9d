import type { Queryable } from '../../core/database.ts';

export async function readCommands(db: Queryable, botId: number): Promise<unknown[]> {
  const [row] = await db.query<{ commands: unknown[] }>('SELECT commands FROM sandbox.tg_bots WHERE bot_id = $1', [
    botId,
  ]);
  return row?.commands ?? [];
}

export async function writeCommands(db: Queryable, botId: number, commands: readonly unknown[]): Promise<void> {
  await db.query('UPDATE sandbox.tg_bots SET commands = $2 WHERE bot_id = $1', [botId, JSON.stringify(commands)]);
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

export async function writeName(db: Queryable, botId: number, name: string): Promise<void> {
  await db.query('UPDATE sandbox.tg_users SET first_name = $2 WHERE user_id = $1', [botId, name]);
}
