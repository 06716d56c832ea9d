import type { Context } from '../context.ts';
import { insertFile } from '../files-store.ts';

/** An uploaded picture, or the address or id of one. */
export type Picture = string | Buffer;

/** Larger ones are sent all the same, and shown as a placeholder. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024;
/** Only what a browser draws without running anything of it. */
const KINDS: readonly { readonly type: string; readonly begins: Buffer }[] = [
  { type: 'image/png', begins: Buffer.from('89504e470d0a1a0a', 'hex') },
  { type: 'image/jpeg', begins: Buffer.from('ffd8ff', 'hex') },
];

/** Keeps the bytes of an upload, so that the page can show them. Answers what the message remembers of its picture. */
export async function keepPicture({ db }: Context, picture: Picture): Promise<string> {
  if (typeof picture === 'string') return picture;
  const kind = KINDS.find(({ begins }) => picture.subarray(0, begins.length).equals(begins));
  if (kind === undefined || picture.length > MAX_KEPT_BYTES) return 'upload';
  return `file:${await insertFile(db, { type: kind.type, bytes: picture })}`;
}

/** The number under which a message's picture is kept, if it is. */
export function keptPicture(photo: string | null): number | undefined {
  const number = /^file:(\d{1,15})$/.exec(photo ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}
