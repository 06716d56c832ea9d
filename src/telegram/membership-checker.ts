import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { ChatMember } from 'grammy/types';
import type { Secrets } from '../core/secrets.ts';
import { BOT_TOKEN_PURPOSE, type Resource } from '../modules/orders/index.ts';
import type { MembershipChecker, MembershipStatus } from '../modules/tasks/index.ts';
import { apiSignal, type BotApi, failureOf } from './bot-api.ts';
import type { CheckBudget } from './check-budget.ts';
import type { CallSubject, FloodWaits } from './flood-waits.ts';

export interface ProbeDeps {
  readonly api: BotApi;
  readonly secrets: Secrets;
  /** For checks that are left out when it is used up: of candidates, and of users whose joining is known. */
  readonly budget: CheckBudget;
  /** The same for checks that an advertiser's bot makes: Telegram counts its calls and not ours. */
  readonly budgetOfBot: (botId: number) => CheckBudget;
  /** For checks that wait until they may. */
  readonly turns: CheckBudget;
  /** What Telegram told any check of this process to wait for counts for all of them. */
  readonly floods: FloodWaits;
}

/** One question to Telegram, at most this often: the answers below are sometimes wrong once. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 100;

/** Our bot's sight of the chat is gone, or the advertiser's token is no longer good. */
const ACCESS_LOST =
  /member list is inaccessible|CHAT_ADMIN_REQUIRED|CHANNEL_PRIVATE|chat not found|bot was kicked|bot is not a member/i;
/** Telegram does not know the user there; now and then it says so of one whom it does know. */
const USER_UNKNOWN =
  /PARTICIPANT_ID_INVALID|member not found|USER_ID_INVALID|USER_INVALID|user not found|invalid user_id specified/i;
/** The same of a user to whom the advertiser's bot shall write: that user is the chat. */
const PERSON_UNKNOWN = /chat not found|PEER_ID_INVALID/i;
/** The user never started the advertiser's bot, has blocked it, or is gone from Telegram. */
const NOT_STARTED =
  /bot was blocked by the user|USER_IS_BLOCKED|user is deactivated|USER_DEACTIVATED|can't initiate conversation/i;

export function createMembershipChecker(deps: ProbeDeps): MembershipChecker {
  const { api, secrets, turns, floods } = deps;
  const budgetFor = ({ type, chatId }: Resource): CheckBudget =>
    type === 'channel' ? deps.budget : deps.budgetOfBot(chatId);

  async function check(resource: Resource, userId: number, limits: AskLimits): Promise<MembershipStatus> {
    const question = questionFor(resource, userId);
    return question === undefined ? 'unavailable' : askWithin(limits, question, floods);
  }

  /** Known beforehand, so that no part of the budget goes to a call that will not be made. */
  const mustWait = (resource: Resource, userId: number, longerThanMs: number): boolean =>
    floods.leftMs(subjectOf(resource, userId)) > longerThanMs;

  function questionFor(resource: Resource, userId: number): Question | undefined {
    const subject = subjectOf(resource, userId);
    if (resource.type === 'channel') return channelQuestion(api.service, subject, userId);
    const token = resource.botTokenEncrypted === null ? undefined : unseal(resource.botTokenEncrypted);
    return token === undefined ? undefined : botQuestion(api.as(token), subject);
  }

  /** A token sealed under another SECRET_KEY cannot be read; its order must not take the others down with it. */
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
      // Telegram saying that it is too much is the budget used up, whatever ours says.
      if (mustWait(resource, userId, timeoutMs)) return 'member';
      if (!budgetFor(resource).tryTake(botId)) return 'member';
      return check(resource, userId, { timeoutMs, attempts: MAX_ATTEMPTS });
    },
    checkIfAffordable(resource, userId, timeoutMs, botId) {
      // Not knowing is good enough here: neither a flood wait nor a second call for a doubtful answer is worth it.
      if (mustWait(resource, userId, 0)) return Promise.resolve('unavailable');
      if (!budgetFor(resource).tryTake(botId)) return undefined;
      return check(resource, userId, { timeoutMs, attempts: 1, believesOneDoubt: true });
    },
    async checkInTurn(resource, userId, timeoutMs) {
      if (mustWait(resource, userId, timeoutMs)) return 'unavailable';
      await turns.take();
      return check(resource, userId, { timeoutMs, attempts: MAX_ATTEMPTS });
    },
  };
}

/** A channel is asked about by our bot, in that channel; another bot is asked to write to the user, in their chat. */
function subjectOf({ type, chatId }: Resource, userId: number): CallSubject {
  return type === 'channel'
    ? { caller: 'service getChatMember', chatId }
    : { caller: `${chatId} sendChatAction`, chatId: userId };
}

interface AskLimits {
  readonly timeoutMs: number;
  readonly attempts: number;
  /** One answer that Telegram does not know the user is enough: nothing is taken back for it. */
  readonly believesOneDoubt?: boolean;
}

type Refusal = 'no_access' | 'left' | 'left_if_repeated' | 'unavailable';

interface Question {
  readonly subject: CallSubject;
  ask(signal: AbortSignal): Promise<'member' | 'left' | 'removed'>;
  /** What it means when Telegram refuses to answer. */
  readRefusal(errorCode: number, description: string): Refusal;
}

function channelQuestion(api: Api, subject: CallSubject, userId: number): Question {
  return {
    subject,
    async ask(signal) {
      const member = await api.getChatMember(subject.chatId, userId, apiSignal(signal));
      if (isMember(member)) return 'member';
      return member.status === 'kicked' ? 'removed' : 'left';
    },
    readRefusal(errorCode, description) {
      if (USER_UNKNOWN.test(description)) return 'left_if_repeated';
      if (NOT_STARTED.test(description)) return 'left';
      return ACCESS_LOST.test(description) || errorCode === 403 ? 'no_access' : 'unavailable';
    },
  };
}

function botQuestion(api: Api, subject: CallSubject): Question {
  return {
    subject,
    async ask(signal) {
      const answer: unknown = await api.sendChatAction(subject.chatId, 'typing', {}, apiSignal(signal));
      if (answer === true) return 'member';
      // Not an answer of Telegram's. To take it for "reachable" would pay for somebody who never came.
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

/** Whether this code knows what the status means. */
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
      // Not an answer that this code knows. To take it for "left" would take rewards back.
      throw new Error(`unknown membership status: ${String((member as { status?: unknown }).status)}`);
  }
}

/**
 * Asks until there is an answer, the attempts are used up, or the time is. Flood waits count against the time, and a
 * user who was unknown only once is no answer yet.
 */
async function askWithin(
  { timeoutMs, attempts, believesOneDoubt = false }: AskLimits,
  question: Question,
  floods: FloodWaits,
): Promise<MembershipStatus> {
  const deadline = performance.now() + timeoutMs;
  const floodMs = (): number => floods.leftMs(question.subject);
  let unknownBefore = false;
  for (let attempt = 1; attempt <= attempts && (await isSatOut(floodMs, deadline)); attempt++) {
    try {
      const answer = await question.ask(AbortSignal.timeout(Math.ceil(deadline - performance.now())));
      floods.answered(question.subject);
      return answer;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'flood') {
        floods.refused(question.subject, failure.retryAfterSeconds);
        continue;
      }
      if (failure.kind === 'refused') {
        floods.answered(question.subject);
        const refusal = question.readRefusal(failure.errorCode, failure.description);
        if (refusal !== 'left_if_repeated') return refusal;
        if (unknownBefore || believesOneDoubt) return 'left';
        unknownBefore = true;
      }
    }
    if (attempt === attempts || performance.now() + PAUSE_MS >= deadline) break;
    await sleep(PAUSE_MS);
  }
  return 'unavailable';
}

/** Waits as long as it is told to; not at all when that would take it past the deadline. */
async function isSatOut(leftMs: () => number, deadline: number): Promise<boolean> {
  // Another request may learn of a longer wait meanwhile.
  for (let waitMs = leftMs(); waitMs > 0; waitMs = leftMs()) {
    if (performance.now() + waitMs >= deadline) return false;
    await sleep(waitMs);
  }
  return performance.now() < deadline;
}
