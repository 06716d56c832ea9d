import { DAY_MS } from '../../../core/clock.ts';
import type { StoredUser } from '../../audience/index.ts';
import type { Bot } from '../../bots/index.ts';
import type { Order } from '../../orders/index.ts';
import type { SourceLimits } from '../../quality/index.ts';
import {
  chatContextOf,
  type Facts,
  factsOf,
  looksGenerated,
  type NameFacts,
  readName,
  type UserProfile,
} from '../../targeting/index.ts';
import { isDone, type ShownTask } from '../task.ts';
import type { History, UserRecord } from './show-store.ts';

/**
 * The profile that a bot sends. Everything but the id is optional. An empty name or username means that the user has
 * none. Null means that the bot does not know, which differs from absent where the wire defines a default.
 */
export interface SentProfile {
  readonly userId: number;
  readonly chatId?: number | undefined;
  readonly firstName?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly languageCode?: string | null | undefined;
  readonly isPremium?: boolean | null | undefined;
}

const DEFAULT_LANGUAGE = 'ru';

/** Joins the sent profile with the stored one. */
function userProfile(
  sent: SentFacts,
  {
    chatId,
    stored,
    source,
    now,
  }: { chatId: number | undefined; stored: StoredUser; source: Pick<SourceLimits, 'score'>; now: Date },
): UserProfile {
  const { firstSeenAt } = stored;
  return {
    ...sent,
    chatContext: chatContextOf(chatId),
    daysSinceFirstSeen:
      firstSeenAt === undefined ? 0 : Math.max(0, Math.floor((now.getTime() - firstSeenAt.getTime()) / DAY_MS)),
    learned: stored.learned,
    sourceScore: source.score ?? undefined,
    hasSourceScore: source.score !== null,
    isHumanChecked: stored.isHumanChecked,
  };
}

/** The part of a request that describes the person and is stored: not the chat, not the time. */
export interface SentFacts extends Pick<UserProfile, 'languageCode' | 'isPremium' | 'name' | 'hasUsername'> {
  /** Set when the name looks as if a program made it, for the quality of sources. */
  readonly hasGeneratedName?: true;
  /** Set when the bot sent no language, so that the default does not count against the user's country. */
  readonly isLanguageAssumed?: true;
}

export function sentFacts(sent: SentProfile): SentFacts {
  return {
    languageCode: sent.languageCode === undefined ? DEFAULT_LANGUAGE : clean(sent.languageCode ?? '') || undefined,
    isPremium: sent.isPremium === undefined ? false : (sent.isPremium ?? undefined),
    name: sent.firstName == null ? undefined : cachedName(sent.firstName),
    hasUsername: sent.username == null ? undefined : clean(sent.username) !== '',
    ...(looksGenerated({ firstName: sent.firstName, username: sent.username }) && { hasGeneratedName: true as const }),
    ...(sent.languageCode === undefined && { isLanguageAssumed: true as const }),
  };
}

/** Most requests send one of few names, and parsing a name is a large part of matching a user. */
const MAX_NAMES = 10_000;
const names = new Map<string, NameFacts | null>();

function cachedName(text: string): NameFacts | null {
  const cached = names.get(text);
  if (cached !== undefined) return cached;
  if (names.size >= MAX_NAMES) names.clear();
  const name = readName(text) ?? null;
  names.set(text, name);
  return name;
}

/** Bots may cut a text inside a surrogate pair, and PostgreSQL rejects the half that is left. */
function clean(text: string): string {
  return text.toWellFormed().trim();
}

/** Accounts that appear to share an owner. Reads memory only. */
export interface Connections {
  /** Returns the accounts that are connected with this one. */
  of(accountId: number): ReadonlySet<number>;
}

/** Reasons not to show an order with free slots, apart from its filters, in the order in which they are checked. */
const BARRIERS = [
  'own_order',
  'connected_owner',
  'excluded_by_advertiser',
  'excluded_by_publisher',
  'already_counted',
  'already_member',
  'already_shown',
] as const;
export type Barrier = (typeof BARRIERS)[number];

/**
 * Every reason not to show an active order, apart from its filters: what the order itself lacks, the barriers, and the
 * part of an order that a source of low quality may fill.
 */
export const REMOVAL_REASONS = ['out_of_budget', 'paced', ...BARRIERS, 'share_cap'] as const;
export type RemovalReason = (typeof REMOVAL_REASONS)[number];

/** The data about a user in a bot that bars orders. */
export interface UserInBot {
  readonly bot: Bot;
  /** The accounts that appear to share an owner with the bot's. Their orders pay it nothing. */
  readonly connectedAccounts: ReadonlySet<number>;
  readonly history: History;
  /** The open tasks of the user in this bot. */
  readonly listed: readonly ShownTask[];
  /** The chats that the user is a member of, with the first time the user was seen there. */
  readonly memberOf: ReadonlyMap<number, Date>;
}

export function barrierFor(order: Order, userInBot: UserInBot): Barrier | undefined {
  const { bot, connectedAccounts, history, listed, memberOf } = userInBot;
  if (order.accountId === bot.accountId) return 'own_order';
  if (connectedAccounts.has(order.accountId)) return 'connected_owner';
  if (order.excludedBotIds.has(bot.id)) return 'excluded_by_advertiser';
  if (bot.excludedOrderIds.has(order.id) || bot.excludedResourceTypes.has(order.resource.type)) {
    return 'excluded_by_publisher';
  }
  if (history.countedResources.has(order.resource.id)) return 'already_counted';
  if (memberOf.has(order.resource.chatId)) return 'already_member';
  if (history.doneOrders.has(order.id) || history.doneResources.has(order.resource.id)) return 'already_shown';
  const isListed = listed.some((task) => task.orderId === order.id || task.resourceId === order.resource.id);
  return isListed ? 'already_shown' : undefined;
}

/** Joins what the bot sent about the user with what is stored. */
export function describeUser(
  input: SentProfile & { readonly bot: Bot },
  { history, memberOf, stored }: UserRecord,
  {
    now,
    tasks,
    source,
    connections,
  }: {
    now: Date;
    tasks: readonly ShownTask[];
    source: Pick<SourceLimits, 'score'>;
    connections: Connections;
  },
): { userInBot: UserInBot; sent: SentFacts; facts: Facts } {
  const sent = sentFacts(input);
  const facts = factsOf(userProfile(sent, { chatId: input.chatId, stored, source, now }));
  // Done tasks are left to the history, which also knows whether one was rejected since.
  const listed = tasks.filter((task) => task.state !== 'expired' && !isDone(task));
  const connectedAccounts = connections.of(input.bot.accountId);
  return { userInBot: { bot: input.bot, connectedAccounts, history, listed, memberOf }, sent, facts };
}
