import type { Queryable, Transaction } from '../../core/database.ts';
import type { Bot, Scope } from './bot.ts';
import { validAt } from './token-store.ts';

interface BotRow {
  id: bigint;
  account_id: bigint;
  username: string;
  is_active: boolean;
  max_sponsors: number;
  round_seconds: number;
  excluded_order_ids: bigint[];
  excluded_resource_types: string[];
  collects_profiles: boolean;
  warns_of_unknown_orders: boolean;
}

const BOT_COLUMNS = `b.id, b.account_id, b.username, b.is_active, b.max_sponsors, b.round_seconds, b.excluded_order_ids,
  b.excluded_resource_types, b.collects_profiles, b.warns_of_unknown_orders`;

const toBot = (row: BotRow): Bot => ({
  id: Number(row.id),
  accountId: Number(row.account_id),
  username: row.username,
  isActive: row.is_active,
  maxSponsors: row.max_sponsors,
  roundSeconds: row.round_seconds,
  excludedOrderIds: new Set(row.excluded_order_ids.map(Number)),
  excludedResourceTypes: new Set(row.excluded_resource_types),
  collectsProfiles: row.collects_profiles,
  warnsOfUnknownOrders: row.warns_of_unknown_orders,
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

export interface TokenHolder {
  readonly bot: Bot;
  readonly scopes: readonly Scope[];
  readonly hash: Buffer;
  readonly createdAt: Date;
  /** The token is refused from then on; `undefined` while no end is set. */
  readonly validUntil: Date | undefined;
}

interface TokenColumns {
  token_hash: Buffer;
  scopes: Scope[];
  token_created_at: Date;
  revoked_at: Date | null;
}

/** Returns the bots of tokens that are valid at `at`, without bots of banned owners. Serves many requests in one query. */
export async function findTokenHolders(db: Queryable, hashes: readonly Buffer[], at: Date): Promise<TokenHolder[]> {
  const rows = await db.query<BotRow & TokenColumns>(
    `SELECT ${BOT_COLUMNS}, t.token_hash, t.scopes, t.created_at AS token_created_at, t.revoked_at
     FROM api_tokens t JOIN bots b ON b.id = t.bot_id JOIN accounts a ON a.id = b.account_id
     WHERE t.token_hash = ANY($1) AND ${validAt('$2')} AND b.is_active AND a.banned_at IS NULL`,
    [hashes, at],
  );
  return rows.map((row) => ({
    bot: toBot(row),
    scopes: row.scopes,
    hash: row.token_hash,
    createdAt: row.token_created_at,
    validUntil: row.revoked_at ?? undefined,
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
