import type { Queryable } from '../../core/database.ts';

/** What the person's next message is an answer to. */
export interface Expectation {
  readonly input: string;
  readonly args: readonly string[];
}

/** Where a person stands in the bot. */
export interface Dialogue {
  readonly menu: { readonly messageId: number; readonly isPhoto: boolean } | null;
  readonly expects: Expectation | null;
  /** What a wizard has gathered; read it with a schema, since an older version may have written it. */
  readonly draft: unknown;
}

export const NEW_DIALOGUE: Dialogue = { menu: null, expects: null, draft: null };

export async function readDialogue(db: Queryable, telegramUserId: number): Promise<Dialogue> {
  const [row] = await db.query<{
    menu_message_id: bigint | null;
    menu_is_photo: boolean;
    expects: Expectation | null;
    draft: unknown;
  }>('SELECT menu_message_id, menu_is_photo, expects, draft FROM bot_dialogues WHERE telegram_user_id = $1', [
    telegramUserId,
  ]);
  if (row === undefined) return NEW_DIALOGUE;
  const { menu_message_id: messageId, menu_is_photo: isPhoto, expects, draft } = row;
  return { menu: messageId === null ? null : { messageId: Number(messageId), isPhoto }, expects, draft };
}

export async function saveDialogue(db: Queryable, telegramUserId: number, dialogue: Dialogue, at: Date): Promise<void> {
  const { menu, expects, draft } = dialogue;
  await db.query(
    `INSERT INTO bot_dialogues AS d (telegram_user_id, menu_message_id, menu_is_photo, expects, draft, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (telegram_user_id) DO UPDATE SET menu_message_id = excluded.menu_message_id,
       menu_is_photo = excluded.menu_is_photo, expects = excluded.expects, draft = excluded.draft,
       updated_at = excluded.updated_at`,
    [
      telegramUserId,
      menu?.messageId ?? null,
      menu?.isPhoto ?? false,
      expects === null ? null : JSON.stringify(expects),
      draft === null || draft === undefined ? null : JSON.stringify(draft),
      at,
    ],
  );
}
