import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { StartError } from '../core/errors.ts';
import { deleteUserData, readUserData } from '../modules/devices/index.ts';
import { onDatabase } from './on-database.ts';

const USAGE = 'use: sponsorgate user-data <telegram_user_id> [--delete]';

/** `sponsorgate user-data <id>`: prints what is stored about a user. `--delete` deletes what no money depends on. */
export async function manageUserData(config: Config, args: readonly string[]): Promise<void> {
  const { userId, isDeleted } = readArguments(args);
  await onDatabase(config, async ({ db }) => {
    const { rows: data, keptTables } = await readUserData(db, userId);
    if (data.size === 0) console.log(`Nothing is stored about user ${userId}.`);
    for (const [table, rows] of data) {
      console.log(keptTables.includes(table) ? `${table} (kept: prevents a second payment):` : `${table}:`);
      for (const row of rows) console.log(`  ${row}`);
    }
    if (isDeleted) console.log(`Deleted ${await deleteUserData(db, userId)} rows about user ${userId}.`);
  });
}

/** Parses the arguments before the database is opened, so that a typing error has no effect. */
function readArguments(args: readonly string[]): { readonly userId: number; readonly isDeleted: boolean } {
  const { positionals, values } = parse(args);
  const [id = '', ...rest] = positionals;
  if (rest.length > 0 || !/^[1-9]\d{0,15}$/.test(id)) throw new StartError(USAGE);
  return { userId: Number(id), isDeleted: values.delete === true };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { delete: { type: 'boolean' } } });
  } catch {
    throw new StartError(USAGE);
  }
}
