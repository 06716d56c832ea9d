import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Queryable } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Session } from './session.ts';
import { saveFlash, takeStoredFlash } from './store.ts';

/** A message that the next page shows once: the outcome of an action, sometimes with a secret. */
const FlashSchema = Type.Object({
  tone: Type.Unsafe<'good' | 'bad'>({ type: 'string', enum: ['good', 'bad'] }),
  text: Type.String(),
  secret: Type.Optional(Type.Object({ label: Type.String(), value: Type.String() })),
});
export type Flash = Readonly<Static<typeof FlashSchema>>;

/** The purpose of the encryption key: flashes are encrypted at rest. */
const PURPOSE = 'console-flash';

interface FlashDeps {
  readonly db: Queryable;
  readonly secrets: Secrets;
}

/** Stores a flash for the page with this path, so that another tab of the same session does not show it. */
export async function leaveFlash(
  { db, secrets }: FlashDeps,
  sessionId: number,
  path: string,
  flash: Flash,
): Promise<void> {
  await saveFlash(db, sessionId, { path, sealed: secrets.encrypt(PURPOSE, JSON.stringify(flash)) });
}

export async function takeFlash(
  { db, secrets }: FlashDeps,
  session: Pick<Session, 'id' | 'flashPath'>,
  path: string,
): Promise<Flash | undefined> {
  if (session.flashPath !== path) return undefined;
  const sealed = await takeStoredFlash(db, session.id, path);
  if (sealed === undefined) return undefined;
  const flash: unknown = JSON.parse(secrets.decrypt(PURPOSE, sealed));
  return Value.Check(FlashSchema, flash) ? flash : undefined;
}
