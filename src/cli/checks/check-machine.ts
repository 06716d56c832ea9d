import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Config, NO_OPERATORS } from '../../config.ts';
import { geoDatabases } from '../../modules/links/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const GB = 1024 ** 3;
const LOW_BYTES = 2 * GB;
/** PostgreSQL needs free space for its write-ahead log before it can free any space. */
const FULL_BYTES = GB / 4;

export function* checkSettings(config: Config): Generator<Finding> {
  const roles = `roles ${[...config.roles].join(', ')}`;
  if (config.telegram !== undefined) {
    yield ok('settings', `live mode, ${roles}`);
    if (config.operatorIds.length === 0) yield warn('operators', NO_OPERATORS);
    if (config.humanCheck !== undefined && config.humanCheck.miniAppLink === undefined) {
      yield warn('human check', 'MINI_APP_LINK is not set, so no user is led to it: set it, or HUMAN_CHECK=off');
    }
    return;
  }
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(config.host);
  yield isOpen
    ? warn(
        'settings',
        `sandbox mode on HOST ${config.host}: everybody who reaches it can use its levers; use 127.0.0.1`,
      )
    : ok('settings', `sandbox mode (no TELEGRAM_BOT_TOKEN), ${roles}`);
}

export async function* checkMachine(config: Config): AsyncGenerator<Finding> {
  yield ok('node', process.version);
  yield* checkDataDir(config);
  const missing = geoDatabases().filter((database) => !database.isPresent);
  for (const { name, package: packageName } of missing) {
    yield warn(`${name} data`, `not installed, so links do not learn the ${name} of users: npm install ${packageName}`);
  }
  if (missing.length === 0) yield ok('places', 'countries and cities of addresses can be told');
}

async function* checkDataDir({ dataDir, databaseUrl, telegram, secretKey }: Config): AsyncGenerator<Finding> {
  if (databaseUrl !== undefined) {
    yield ok('data folder', 'not used: DATABASE_URL is set');
    return;
  }
  const folder = resolve(dataDir);
  const present = await nearestPresent(folder);
  const isUsable = await access(present, constants.W_OK | constants.X_OK)
    .then(() => stat(present))
    .then(
      (found) => found.isDirectory(),
      () => false,
    );
  if (!isUsable) {
    yield fail('data folder', `${present} is no folder that this user may write to: mend it, or set another DATA_DIR`);
    return;
  }
  yield present === folder
    ? ok('data folder', `${folder} is writable`)
    : warn('data folder', `${folder} does not exist yet: the first start makes it`);
  const { bavail, bsize } = await statfs(present);
  yield diskFinding(bavail * bsize);
  if (telegram !== undefined && secretKey === undefined) yield await keyFileFinding(join(folder, 'secret.key'));
}

/** Returns the folder itself, or its nearest existing parent. */
async function nearestPresent(folder: string): Promise<string> {
  const isPresent = await stat(folder).then(
    () => true,
    () => false,
  );
  return isPresent || dirname(folder) === folder ? folder : nearestPresent(dirname(folder));
}

function diskFinding(freeBytes: number): Finding {
  const free = `${(freeBytes / GB).toFixed(1)} GB free for the database`;
  if (freeBytes > LOW_BYTES) return ok('disk', free);
  return (freeBytes > FULL_BYTES ? warn : fail)('disk', `only ${free}: make room, a full disk stops every payment`);
}

async function keyFileFinding(file: string): Promise<Finding> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined)
    return warn('secret key', `${file} is not there yet: the first start makes it; then back it up`);
  const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0;
  return isPrivate
    ? ok('secret key', `kept in ${file}: is it in your backup?`)
    : warn('secret key', `others can read ${file}: chmod 600 it`);
}
