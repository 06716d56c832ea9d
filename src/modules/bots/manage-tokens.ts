import { publishChanges } from '../../core/changes.ts';
import { addSeconds } from '../../core/clock.ts';
import type { Database, Queryable, Transaction } from '../../core/database.ts';
import { sha256 } from '../../core/secrets.ts';
import { onceOnly } from '../accounts/index.ts';
import { generateToken, type Scope } from './bot.ts';
import { type BotOfAccount, lockOwnBot, requireOwnBot } from './manage-bots.ts';
import { lockBot } from './store.ts';
import {
  endToken,
  endTokens,
  insertToken,
  type StoredToken,
  selectTokens,
  selectValidTokens,
  setScope,
} from './token-store.ts';

/** A token as its owner sees it: enough to recognise it, too little to use it. */
export interface TokenDescription extends Omit<StoredToken, 'hash'> {
  /** The beginning of the SHA-256 of the token, which its owner can compute too. */
  readonly fingerprint: string;
}

const FINGERPRINT_LENGTH = 8;
const MAX_LISTED = 100;

export const GRACE_HOURS = { min: 0, max: 168, default: 24 } as const;

/** Returns the tokens of a bot, newest first, including those that have ended. */
export async function listTokens(db: Queryable, botId: number): Promise<TokenDescription[]> {
  const tokens = await selectTokens(db, botId, MAX_LISTED);
  return tokens.map(({ hash, ...token }) => ({
    ...token,
    fingerprint: hash.toString('hex').slice(0, FINGERPRINT_LENGTH),
  }));
}

/** Returns the token, which no other call returns: only its hash is stored. */
export async function issueToken(
  tx: Transaction,
  { botId, scopes, at, token = generateToken() }: { botId: number; scopes: readonly Scope[]; at: Date; token?: string },
): Promise<string> {
  await insertToken(tx, { botId, hash: sha256(token), scopes, at });
  await publishChanges(tx, { kind: 'bot', id: botId });
  return token;
}

export type RotateOutcome =
  | {
      readonly kind: 'rotated';
      readonly token: string;
      readonly scopes: readonly Scope[];
      /** `undefined` when there was no valid token. */
      readonly oldValidUntil: Date | undefined;
    }
  | { readonly kind: 'bot_not_found' }
  /** The requesting token has ended in the meantime. */
  | { readonly kind: 'token_ended' }
  /** The requesting token already has a successor. */
  | { readonly kind: 'being_replaced'; readonly validUntil: Date };

export interface Rotation {
  readonly botId: number;
  readonly graceSeconds: number;
  readonly at: Date;
  /** The hash of the requesting token; absent when the owner or an operator rotates. */
  readonly askedBy?: Buffer | undefined;
}

/**
 * Issues a new token with the same scopes; the old ones work until the grace period ends. A token that is being replaced
 * cannot rotate: otherwise a thief with a leaked token could rotate again and lock out the owner.
 */
export async function rotateToken(
  tx: Transaction,
  { botId, graceSeconds, at, askedBy }: Rotation,
): Promise<RotateOutcome> {
  // The lock serialises rotations and grants of one bot, so that a rotation copies the scopes of a finished grant.
  const bot = await lockBot(tx, botId);
  if (bot === undefined) return { kind: 'bot_not_found' };
  const valid = await selectValidTokens(tx, botId, at);
  const model = askedBy === undefined ? valid[0] : valid.find(({ hash }) => hash.equals(askedBy));
  if (askedBy !== undefined) {
    if (model === undefined) return { kind: 'token_ended' };
    if (model.validUntil !== undefined) return { kind: 'being_replaced', validUntil: model.validUntil };
  }
  const until = addSeconds(at, graceSeconds);
  await endTokens(tx, botId, until);
  const scopes = model?.scopes ?? [];
  const token = await issueToken(tx, { botId, scopes, at });
  return { kind: 'rotated', token, scopes, oldValidUntil: valid.length === 0 ? undefined : until };
}

/** Ends one token at once. Returns whether it was a valid token of the bot. */
export async function revokeToken(
  tx: Transaction,
  { botId, tokenId, at }: { botId: number; tokenId: number; at: Date },
): Promise<boolean> {
  const isEnded = await endToken(tx, { botId, tokenId, at });
  if (isEnded) await publishChanges(tx, { kind: 'bot', id: botId });
  return isEnded;
}

/** Grants beta access to every valid token of a bot and returns their number. For operators. */
export function grantBeta(tx: Transaction, bot: { botId: number; at: Date }): Promise<number> {
  return changeBeta(tx, { ...bot, isGranted: true });
}

export function revokeBeta(tx: Transaction, bot: { botId: number; at: Date }): Promise<number> {
  return changeBeta(tx, { ...bot, isGranted: false });
}

async function changeBeta(
  tx: Transaction,
  { botId, isGranted, at }: { botId: number; isGranted: boolean; at: Date },
): Promise<number> {
  await lockBot(tx, botId);
  const count = await setScope(tx, { botId, scope: 'beta', isGranted, at });
  await publishChanges(tx, { kind: 'bot', id: botId });
  return count;
}

interface Renewal extends BotOfAccount {
  readonly graceSeconds: number;
  /** The idempotency key of the request: a repeat creates no second token. */
  readonly key: string;
  readonly at: Date;
  /** The first token of a bot, which a sandbox knows in advance. */
  readonly firstToken?: string | undefined;
}

type RenewalOutcome =
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
