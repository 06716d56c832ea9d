import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { ChatMember } from 'grammy/types';
import type { Secrets } from '../core/secrets.ts';
import { BOT_TOKEN_PURPOSE, type Resource } from '../modules/orders/index.ts';
import type { MembershipChecker, MembershipStatus } from '../modules/tasks/index.ts';
import { apiSignal, type BotApi, failureOf } from './bot-api.ts';
import type { CheckBudget } from './check-budget.ts';
import type { CheckerBots } from './checker-bots.ts';
import type { CallSubject, FloodWaits } from './flood-waits.ts';

export interface MembershipCheckerDeps {
  readonly api: Pick<BotApi, 'as'>;
  /** The service's own bots. A channel is checked by the one that serves it. */
  readonly bots: Pick<CheckerBots, 'apiOf' | 'idOf' | 'refusedToken'>;
  readonly secrets: Secrets;
  /**
   * For checks that are skipped when it is used up: of candidates, and of users whose join an update reported. Telegram
   * counts the calls of each bot, ours or an advertiser's, apart.
   */
  readonly budgetOf: (botId: number) => CheckBudget;
  /** For checks by one of our bots that wait for their turn. */
  readonly turnsOf: (botId: number) => CheckBudget;
  readonly floods: FloodWaits;
}

/** Attempts per check: Telegram's refusals below are sometimes wrong once. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 100;

/** The service bot lost access to the chat, or the advertiser's token is no longer valid. */
const ACCESS_LOST =
  /member list is inaccessible|CHAT_ADMIN_REQUIRED|CHANNEL_PRIVATE|chat not found|bot was kicked|bot is not a member/i;
/** Telegram does not know the user in the chat. It sometimes says so about a user whom it does know. */
const USER_UNKNOWN =
  /PARTICIPANT_ID_INVALID|member not found|USER_ID_INVALID|USER_INVALID|user not found|invalid user_id specified/i;
/** The same when the advertiser's bot writes to the user: the user is the chat. */
const PERSON_UNKNOWN = /chat not found|PEER_ID_INVALID/i;
/** The user never started the advertiser's bot, blocked it, or deleted the account. */
const NOT_STARTED =
  /bot was blocked by the user|USER_IS_BLOCKED|user is deactivated|USER_DEACTIVATED|can't initiate conversation/i;

export function createMembershipChecker(deps: MembershipCheckerDeps): MembershipChecker {
  const { api, bots, secrets, floods } = deps;
  const budgetFor = ({ type, chatId, checkerId = null }: Resource): CheckBudget =>
    deps.budgetOf(type === 'channel' ? bots.idOf(checkerId) : chatId);

  async function check(resource: Resource, userId: number, limits: CheckLimits): Promise<MembershipStatus> {
    const call = callFor(resource, userId);
    return call === undefined ? 'unavailable' : checkWithin(limits, call, floods);
  }

  /** Call it before taking from the budget, so that a check that cannot be made costs nothing. */
  const mustWait = (resource: Resource, userId: number, longerThanMs: number): boolean =>
    floods.leftMs(subjectOf(resource, userId)) > longerThanMs;

  function callFor(resource: Resource, userId: number): MembershipCall | undefined {
    const subject = subjectOf(resource, userId);
    const { type, checkerId = null } = resource;
    if (type === 'channel') {
      const ours = bots.apiOf(checkerId);
      return ours && channelCall(ours, subject, userId, () => bots.refusedToken(checkerId));
    }
    const token = resource.botTokenEncrypted === null ? undefined : unseal(resource.botTokenEncrypted);
    return token === undefined ? undefined : botCall(api.as(token), subject);
  }

  /** Returns undefined for a token encrypted under another SECRET_KEY, so that one order does not fail the others. */
  function unseal(sealed: Buffer): string | undefined {
    try {
      return secrets.decrypt(BOT_TOKEN_PURPOSE, sealed);
    } catch {
      return undefined;
    }
  }

  return {
    check: (resource, userId, timeoutMs) => check(resource, userId, { timeoutMs, attempts: MAX_ATTEMPTS }),
    async checkKnownMember(resource, userId, timeoutMs, botId) {
      // During a flood wait the budget counts as used up.
      if (mustWait(resource, userId, timeoutMs)) return 'member';
      if (!budgetFor(resource).tryTake(botId)) return 'member';
      return check(resource, userId, { timeoutMs, attempts: MAX_ATTEMPTS });
    },
    checkIfAffordable(resource, userId, timeoutMs, botId) {
      // An unknown status is good enough here, so it waits for no flood and repeats no doubtful call.
      if (mustWait(resource, userId, 0)) return Promise.resolve('unavailable');
      if (!budgetFor(resource).tryTake(botId)) return undefined;
      return check(resource, userId, { timeoutMs, attempts: 1, acceptsOneUnknown: true });
    },
    async checkInTurn(resource, userId, timeoutMs) {
      if (mustWait(resource, userId, timeoutMs)) return 'unavailable';
      const { take } = deps.turnsOf(bots.idOf(resource.type === 'channel' ? (resource.checkerId ?? null) : null));
      await take();
      return check(resource, userId, { timeoutMs, attempts: MAX_ATTEMPTS, takeTurn: take });
    },
  };
}

/** One of our bots checks a channel in that channel; an advertiser's bot is checked by writing to the user. */
function subjectOf({ type, chatId, checkerId = null }: Resource, userId: number): CallSubject {
  return type === 'channel'
    ? { caller: `${checkerId ?? 'service'} getChatMember`, chatId }
    : { caller: `${chatId} sendChatAction`, chatId: userId };
}

interface CheckLimits {
  readonly timeoutMs: number;
  readonly attempts: number;
  /** One reply that Telegram does not know the user is enough, because no reward depends on it. */
  readonly acceptsOneUnknown?: boolean;
  /**
   * Takes a new turn after a flood wait. Without it all checks that waited would start at its end, exceed the limit
   * together and cause the next flood wait.
   */
  readonly takeTurn?: () => Promise<void>;
}

type Refusal = 'no_access' | 'left' | 'left_if_repeated' | 'unavailable';

interface MembershipCall {
  readonly subject: CallSubject;
  send(signal: AbortSignal): Promise<'member' | 'left' | 'removed'>;
  /** Maps a refusal of Telegram to its meaning. */
  readRefusal(errorCode: number, description: string): Refusal;
}

function channelCall(api: Api, subject: CallSubject, userId: number, onRefusedToken: () => void): MembershipCall {
  return {
    subject,
    async send(signal) {
      const member = await api.getChatMember(subject.chatId, userId, apiSignal(signal));
      if (isMember(member)) return 'member';
      return member.status === 'kicked' ? 'removed' : 'left';
    },
    readRefusal(errorCode, description) {
      if (errorCode === 401) {
        onRefusedToken();
        return 'unavailable';
      }
      if (USER_UNKNOWN.test(description)) return 'left_if_repeated';
      if (NOT_STARTED.test(description)) return 'left';
      return ACCESS_LOST.test(description) || errorCode === 403 ? 'no_access' : 'unavailable';
    },
  };
}

function botCall(api: Api, subject: CallSubject): MembershipCall {
  return {
    subject,
    async send(signal) {
      const answer: unknown = await api.sendChatAction(subject.chatId, 'typing', {}, apiSignal(signal));
      if (answer === true) return 'member';
      // Not a reply of Telegram's. Reading it as "reachable" would pay for a user who never started the bot.
      throw new Error(`unknown answer to sendChatAction: ${typeof answer}`);
    },
    readRefusal(errorCode, description) {
      if (NOT_STARTED.test(description)) return 'left';
      if (USER_UNKNOWN.test(description) || PERSON_UNKNOWN.test(description)) return 'left_if_repeated';
      return errorCode === 401 || errorCode === 404 ? 'no_access' : 'unavailable';
    },
  };
}

const STATUSES: readonly string[] = ['creator', 'administrator', 'member', 'restricted', 'left', 'kicked'];

/** Returns whether this code knows the status. */
export const isKnownStatus = ({ status }: ChatMember): boolean => STATUSES.includes(status);

export function isMember(member: ChatMember): boolean {
  switch (member.status) {
    case 'creator':
    case 'administrator':
    case 'member':
      return true;
    case 'restricted':
      return member.is_member;
    case 'left':
    case 'kicked':
      return false;
    default:
      // Reading an unknown status as "left" would take rewards back.
      throw new Error(`unknown membership status: ${String((member as { status?: unknown }).status)}`);
  }
}

/**
 * Repeats the call until Telegram replies, the attempts are used up or the time is over. Flood waits count against the
 * time. A single "user unknown" is not a result yet.
 */
async function checkWithin(
  { timeoutMs, attempts, acceptsOneUnknown = false, takeTurn }: CheckLimits,
  call: MembershipCall,
  floods: FloodWaits,
): Promise<MembershipStatus> {
  let deadline = performance.now() + timeoutMs;
  const floodMs = (): number => floods.leftMs(call.subject);
  let wasUnknown = false;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const isFlooded = floodMs() > 0;
    if (!(await waitsOutFlood(floodMs, deadline))) break;
    if (isFlooded && takeTurn !== undefined) {
      const begin = performance.now();
      await takeTurn();
      deadline += performance.now() - begin;
    }
    try {
      const answer = await call.send(AbortSignal.timeout(Math.ceil(deadline - performance.now())));
      floods.answered(call.subject);
      return answer;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'flood') {
        floods.refused(call.subject, failure.retryAfterSeconds);
        continue;
      }
      if (failure.kind === 'refused') {
        floods.answered(call.subject);
        const refusal = call.readRefusal(failure.errorCode, failure.description);
        if (refusal !== 'left_if_repeated') return refusal;
        if (wasUnknown || acceptsOneUnknown) return 'left';
        wasUnknown = true;
      }
    }
    if (attempt === attempts || performance.now() + PAUSE_MS >= deadline) break;
    await sleep(PAUSE_MS);
  }
  return 'unavailable';
}

/** Waits for the end of the flood wait. Returns false at once when that is after the deadline. */
async function waitsOutFlood(leftMs: () => number, deadline: number): Promise<boolean> {
  // Another check may meet a longer wait meanwhile.
  for (let waitMs = leftMs(); waitMs > 0; waitMs = leftMs()) {
    if (performance.now() + waitMs >= deadline) return false;
    await sleep(waitMs);
  }
  return performance.now() < deadline;
}
