import type { Queryable } from '../../core/database.ts';

/** The bytes of an upload, or an address or id. */
export type Picture = string | Buffer;

/** Larger pictures are not stored; the page shows a placeholder. */
const MAX_STORED_BYTES = 2 * 1024 * 1024;
/** Formats that a browser displays without running code from them. */
const KINDS: readonly { readonly type: string; readonly begins: Buffer }[] = [
  { type: 'image/png', begins: Buffer.from('89504e470d0a1a0a', 'hex') },
  { type: 'image/jpeg', begins: Buffer.from('ffd8ff', 'hex') },
];

/** Stores an upload, so that the page can show it. Returns the text that the message stores. */
export async function storePicture(db: Queryable, picture: Picture): Promise<string> {
  if (typeof picture === 'string') return picture;
  const kind = KINDS.find(({ begins }) => picture.subarray(0, begins.length).equals(begins));
  if (kind === undefined || picture.length > MAX_STORED_BYTES) return 'upload';
  return `file:${await insertFile(db, { type: kind.type, bytes: picture })}`;
}

/** Returns the file number of a message's picture, if it is stored. */
export function storedPicture(photo: string | null): number | undefined {
  const number = /^file:(\d{1,15})$/.exec(photo ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The page shows the pictures of recent messages only. */
const KEPT_FILES = 200;

interface StoredFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Stores a file, deletes the oldest one, and returns the number of the new one. */
async function insertFile(db: Queryable, { type, bytes }: StoredFile): Promise<number> {
  const [row] = await db.query<{ file_number: bigint }>(
    'INSERT INTO sandbox.tg_files (type, bytes) VALUES ($1, $2) RETURNING file_number',
    [type, bytes],
  );
  if (!row) throw new Error('the picture was not stored');
  await db.query('DELETE FROM sandbox.tg_files WHERE file_number <= $1', [row.file_number - BigInt(KEPT_FILES)]);
  return Number(row.file_number);
}

export async function readFile(db: Queryable, fileNumber: number): Promise<StoredFile | undefined> {
  const [row] = await db.query<StoredFile>('SELECT type, bytes FROM sandbox.tg_files WHERE file_number = $1', [
    fileNumber,
  ]);
  return row;
}
