import type { Transaction } from '../../../core/database.ts';

export type DialogueCommand =
  | 'newbot'
  | 'token'
  | 'revoke'
  | 'setname'
  | 'setdescription'
  | 'setabouttext'
  | 'setcommands';

/** The command for which BotFather waits for an answer. */
export interface Dialogue {
  readonly command: DialogueCommand;
  readonly botId: number | null;
  /** For `newbot`: the name, once the person has sent it. */
  readonly name: string | null;
}

/** Returns the dialogue, locked until commit, so that two answers sent at once do not create two bots. */
export async function lockDialogue(tx: Transaction, userId: number): Promise<Dialogue | undefined> {
  const [row] = await tx.query<{ command: DialogueCommand; bot_id: bigint | null; name: string | null }>(
    'SELECT command, bot_id, name FROM sandbox.tg_bot_father_dialogues WHERE user_id = $1 FOR UPDATE',
    [userId],
  );
  return row && { command: row.command, botId: row.bot_id === null ? null : Number(row.bot_id), name: row.name };
}

export async function writeDialogue(tx: Transaction, userId: number, dialogue: Dialogue): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox.tg_bot_father_dialogues (user_id, command, bot_id, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET command = excluded.command, bot_id = excluded.bot_id, name = excluded.name`,
    [userId, dialogue.command, dialogue.botId, dialogue.name],
  );
}

export async function endDialogue(tx: Transaction, userId: number): Promise<void> {
  await tx.query('DELETE FROM sandbox.tg_bot_father_dialogues WHERE user_id = $1', [userId]);
}
