import type { Queryable } from '../../core/database.ts';

/** The question to which the person's next message replies. */
interface Expectation {
  readonly input: string;
  readonly args: readonly string[];
}

/** The state of a person's dialogue with the bot. */
export interface Dialogue {
  readonly menu: { readonly messageId: number; readonly isPhoto: boolean } | null;
  readonly expects: Expectation | null;
  /** Drafts by wizard. Check them with a schema: an older version may have written them. */
  readonly drafts: Readonly<Record<string, unknown>>;
  /** The update that changed the dialogue last, and the question that was open before it. */
  readonly lastUpdate: { readonly id: number; readonly expectedBefore: Expectation | null } | null;
  /** The update of the last message. */
  readonly lastMessageUpdateId: number | null;
  readonly updatedAt: Date | null;
}

const NEW_DIALOGUE: Dialogue = {
  menu: null,
  expects: null,
  drafts: {},
  lastUpdate: null,
  lastMessageUpdateId: null,
  updatedAt: null,
};

export async function readDialogue(db: Queryable, telegramUserId: number): Promise<Dialogue> {
  const [row] = await db.query<
    Omit<Dialogue, 'menu' | 'lastUpdate'> & {
      readonly messageId: number | null;
      readonly isPhoto: boolean;
      readonly updateId: number | null;
      readonly expectedBefore: Expectation | null;
    }
  >(
    `SELECT menu_message_id::float8 AS "messageId", menu_is_photo AS "isPhoto", expects, drafts,
            last_update_id::float8 AS "updateId", expected_before AS "expectedBefore",
            last_message_update_id::float8 AS "lastMessageUpdateId", updated_at AS "updatedAt"
     FROM bot_dialogues WHERE telegram_user_id = $1`,
    [telegramUserId],
  );
  if (row === undefined) return NEW_DIALOGUE;
  const { messageId, isPhoto, updateId, expectedBefore, ...dialogue } = row;
  return {
    ...dialogue,
    menu: messageId === null ? null : { messageId, isPhoto },
    lastUpdate: updateId === null ? null : { id: updateId, expectedBefore },
  };
}

export async function saveDialogue(db: Queryable, telegramUserId: number, dialogue: Dialogue, at: Date): Promise<void> {
  const { menu, expects, drafts, lastUpdate } = dialogue;
  await db.query(
    `INSERT INTO bot_dialogues (telegram_user_id, menu_message_id, menu_is_photo, expects, drafts, last_update_id,
                                expected_before, last_message_update_id, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (telegram_user_id) DO UPDATE SET menu_message_id = excluded.menu_message_id,
       menu_is_photo = excluded.menu_is_photo, expects = excluded.expects, drafts = excluded.drafts,
       last_update_id = excluded.last_update_id, expected_before = excluded.expected_before,
       last_message_update_id = excluded.last_message_update_id, updated_at = excluded.updated_at`,
    [
      telegramUserId,
      menu?.messageId ?? null,
      menu?.isPhoto ?? false,
      expects === null ? null : JSON.stringify(expects),
      JSON.stringify(drafts),
      lastUpdate?.id ?? null,
      lastUpdate?.expectedBefore == null ? null : JSON.stringify(lastUpdate.expectedBefore),
      dialogue.lastMessageUpdateId,
      at,
    ],
  );
}

/**
 * Deletes the dialogues unchanged since then among the next `limit` people. `last` is the last one read, null at the
 * end.
 */
export async function deleteDialogues(
  db: Queryable,
  { after, silentSince, limit }: { after: number; silentSince: Date; limit: number },
): Promise<{ readonly count: number; readonly last: number | null }> {
  const [row] = await db.query<{ count: number; last: number | null }>(
    `WITH people AS MATERIALIZED (
       SELECT telegram_user_id FROM bot_dialogues WHERE telegram_user_id > $1 ORDER BY telegram_user_id LIMIT $3
     ), silent AS MATERIALIZED (
       SELECT telegram_user_id FROM bot_dialogues JOIN people USING (telegram_user_id) WHERE updated_at < $2
       FOR UPDATE OF bot_dialogues SKIP LOCKED
     ), gone AS (
       DELETE FROM bot_dialogues d USING silent WHERE d.telegram_user_id = silent.telegram_user_id RETURNING 1
     )
     SELECT (SELECT count(*) FROM gone)::float8 AS count, (SELECT max(telegram_user_id) FROM people)::float8 AS last`,
    [after, silentSince, limit],
  );
  return row ?? { count: 0, last: null };
}
