import type { Queryable } from '../../core/database.ts';

/** The page shows the pictures of recent messages only. */
const KEPT_FILES = 200;

export interface StoredFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Stores a file, deletes the oldest one, and returns the number of the new one. */
export async function insertFile(db: Queryable, { type, bytes }: StoredFile): Promise<number> {
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
