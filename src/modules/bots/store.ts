import type { Queryable, Transaction } from '../../core/database.ts';
import type { Bot } from './bot.ts';
import { type StoredToken, type TokenRow, validAt } from './token-store.ts';

const BOT_COLUMNS = `b.id::float8 AS id, b.account_id::float8 AS "accountId", b.username, b.is_active AS "isActive",
  b.max_sponsors AS "maxSponsors", b.round_seconds AS "roundSeconds", b.collects_profiles AS "collectsProfiles",
  b.excluded_order_ids::float8[] AS "excludedOrderIds", b.excluded_resource_types AS "excludedResourceTypes",
  b.warns_of_unknown_orders AS "warnsOfUnknownOrders"`;

interface BotRow extends Omit<Bot, 'excludedOrderIds' | 'excludedResourceTypes'> {
  readonly excludedOrderIds: readonly number[];
  readonly excludedResourceTypes: readonly string[];
}

const toBot = (row: BotRow): Bot => ({
  ...row,
  excludedOrderIds: new Set(row.excludedOrderIds),
  excludedResourceTypes: new Set(row.excludedResourceTypes),
});

/** Returns `undefined` when a bot with this username is already registered. */
export async function insertBot(
  tx: Transaction,
  bot: { accountId: number; username: string; maxSponsors: number; roundSeconds: number; at: Date },
): Promise<Bot | undefined> {
  const [row] = await tx.query<BotRow>(
    `INSERT INTO bots AS b (account_id, username, max_sponsors, round_seconds, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (lower(username)) DO NOTHING RETURNING ${BOT_COLUMNS}`,
    [bot.accountId, bot.username, bot.maxSponsors, bot.roundSeconds, bot.at],
  );
  return row && toBot(row);
}

export async function setBotActive(tx: Transaction, botId: number, isActive: boolean): Promise<void> {
  await tx.query('UPDATE bots SET is_active = $2 WHERE id = $1', [botId, isActive]);
}

export interface TokenHolder extends Omit<StoredToken, 'id'> {
  readonly bot: Bot;
}

/** Returns the bots of tokens that are valid at `at`, without bots of banned owners. Serves many requests in one query. */
export async function findTokenHolders(db: Queryable, hashes: readonly Buffer[], at: Date): Promise<TokenHolder[]> {
  const rows = await db.query<BotRow & Omit<TokenRow, 'id'>>(
    `SELECT ${BOT_COLUMNS}, t.token_hash AS hash, t.scopes, t.created_at AS "createdAt", t.revoked_at AS "validUntil"
     FROM api_tokens t JOIN bots b ON b.id = t.bot_id JOIN accounts a ON a.id = b.account_id
     WHERE t.token_hash = ANY($1) AND ${validAt('$2')} AND b.is_active AND a.banned_at IS NULL`,
    [hashes, at],
  );
  return rows.map(({ hash, scopes, createdAt, validUntil, ...bot }) => ({
    bot: toBot(bot),
    hash,
    scopes,
    createdAt,
    validUntil: validUntil ?? undefined,
  }));
}

export async function findBot(db: Queryable, botId: number): Promise<Bot | undefined> {
  const [row] = await db.query<BotRow>(`SELECT ${BOT_COLUMNS} FROM bots b WHERE b.id = $1`, [botId]);
  return row && toBot(row);
}

/** Ignores case, as Telegram does. */
export async function findBotByUsername(db: Queryable, username: string): Promise<Bot | undefined> {
  const [row] = await db.query<BotRow>(`SELECT ${BOT_COLUMNS} FROM bots b WHERE lower(b.username) = lower($1)`, [
    username,
  ]);
  return row && toBot(row);
}

/** Returns all bots of an account, or one page. */
export async function listBotsOfAccount(
  db: Queryable,
  accountId: number,
  { limit = null, offset = 0 }: { limit?: number | null; offset?: number } = {},
): Promise<Bot[]> {
  const rows = await db.query<BotRow>(
    `SELECT ${BOT_COLUMNS} FROM bots b WHERE b.account_id = $1 ORDER BY b.id LIMIT $2 OFFSET $3`,
    [accountId, limit, offset],
  );
  return rows.map(toBot);
}

export async function listBots(db: Queryable, limit: number): Promise<Bot[]> {
  const rows = await db.query<BotRow>(`SELECT ${BOT_COLUMNS} FROM bots b ORDER BY b.id LIMIT $1`, [limit]);
  return rows.map(toBot);
}

export interface BotSettings {
  readonly maxSponsors: number;
  readonly roundSeconds: number;
  readonly excludedOrderIds: readonly number[];
  readonly excludedResourceTypes: readonly string[];
  readonly collectsProfiles: boolean;
  readonly warnsOfUnknownOrders: boolean;
}

export async function saveSettings(tx: Transaction, botId: number, settings: BotSettings): Promise<void> {
  await tx.query(
    `UPDATE bots SET max_sponsors = $2, round_seconds = $3, excluded_order_ids = $4, excluded_resource_types = $5,
       collects_profiles = $6, warns_of_unknown_orders = $7 WHERE id = $1`,
    [
      botId,
      settings.maxSponsors,
      settings.roundSeconds,
      settings.excludedOrderIds,
      settings.excludedResourceTypes,
      settings.collectsProfiles,
      settings.warnsOfUnknownOrders,
    ],
  );
}

export async function lockBot(tx: Transaction, botId: number): Promise<Bot | undefined> {
  const [row] = await tx.query<BotRow>(`SELECT ${BOT_COLUMNS} FROM bots b WHERE b.id = $1 FOR UPDATE`, [botId]);
  return row && toBot(row);
}
