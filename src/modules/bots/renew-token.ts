import type { Database } from '../../core/database.ts';
import { onceOnly } from '../accounts/index.ts';
import { issueToken, listTokens, type RotateOutcome, rotateToken, type TokenDescription } from './manage-tokens.ts';
import { type BotOfAccount, lockOwnBot, requireOwnBot } from './own-bot.ts';

export interface Renewal extends BotOfAccount {
  readonly graceSeconds: number;
  /** The idempotency key of the request: a repeat creates no second token. */
  readonly key: string;
  readonly at: Date;
  /** The first token of a bot, which a sandbox knows in advance. */
  readonly firstToken?: string | undefined;
}

export type RenewalOutcome =
  | { readonly kind: 'issued'; readonly token: string; readonly oldValidUntil: Date | undefined }
  /** A request with this key created the token before. It was shown once and is not stored. */
  | { readonly kind: 'issued_before' };

/** Issues a token to the owner of a bot. Earlier tokens work until the grace period ends. */
export async function renewToken(db: Database, renewal: Renewal): Promise<RenewalOutcome> {
  const { accountId, botId, graceSeconds, key, at } = renewal;
  let issued: { token: string; oldValidUntil: Date | undefined } | undefined;
  // The key stores only that a token was issued: the token itself must not be readable anywhere.
  await onceOnly(db, { accountId, key, request: { botId, graceSeconds }, at }, async (tx) => {
    const bot = await lockOwnBot(tx, renewal);
    const isFirst = (await listTokens(tx, botId)).length === 0;
    if (isFirst && renewal.firstToken !== undefined) {
      const token = await issueToken(tx, { botId: bot.id, scopes: [], at, token: renewal.firstToken });
      issued = { token, oldValidUntil: undefined };
    } else {
      issued = rotated(await rotateToken(tx, { botId: bot.id, graceSeconds, at }));
    }
    return { isIssued: true };
  });
  return issued === undefined ? { kind: 'issued_before' } : { kind: 'issued', ...issued };
}

function rotated(outcome: RotateOutcome): { token: string; oldValidUntil: Date | undefined } {
  if (outcome.kind !== 'rotated') throw new Error(`an owner's rotation was refused: ${outcome.kind}`);
  return { token: outcome.token, oldValidUntil: outcome.oldValidUntil };
}

/** Returns the valid tokens, newest first. */
export async function listValidTokens(db: Database, input: BotOfAccount & { at: Date }): Promise<TokenDescription[]> {
  const bot = await requireOwnBot(db, input);
  const tokens = await listTokens(db, bot.id);
  return tokens.filter(({ validUntil }) => validUntil === undefined || validUntil > input.at);
}
