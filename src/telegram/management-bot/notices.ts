import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Html } from '../../core/html.ts';
import { FORMATS, type Formats, type Language } from '../../core/locale.ts';
import { findAccount, setMuted } from '../../modules/accounts/index.ts';
import {
  forgetNotices,
  type NewNotice,
  NOTICE_KINDS,
  type Notice,
  OPERATOR_ONLY,
  postponeNotices,
  takeNotices,
} from '../../modules/notices/index.ts';
import type { SharedTexts } from '../../texts/index.ts';
import { QUALITY_TEXTS } from '../../texts/quality.ts';
import { type BotApi, failureOf } from '../bot-api.ts';
import type { UpdatesLog } from '../handle-update.ts';
import { Area, type BotContext, choiceIn } from './bot-context.ts';
import { sendScreen } from './conversation.ts';
import type { ManagementBotDeps } from './deps.ts';
import { type Button, press, type Screen } from './screen.ts';
import { TEXTS } from './texts/index.ts';

function noticesScreen(ctx: BotContext, muted: ReadonlySet<string>): Screen {
  const { notices, common } = ctx.texts;
  return {
    text: notices.choose,
    rows: [
      ...NOTICE_KINDS.filter((kind) => !OPERATOR_ONLY.has(kind) || ctx.person.isOperator).map((kind) => {
        const isMuted = muted.has(kind);
        return [press(`${isMuted ? '🔕' : '🔔'} ${notices.kinds[kind]}`, 'tell', kind, isMuted ? 'on' : 'off')];
      }),
      [press(common.back, 'home')],
    ],
  };
}

export function noticesArea({ db }: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('notices', (ctx) => ctx.talk.show(noticesScreen(ctx, ctx.person.mutedNotices)));

  /** Mutes or unmutes a kind in the list. */
  area.onPress('tell', async (ctx, chosen, to) => {
    const kind = choiceIn(chosen, NOTICE_KINDS);
    const isMuted = choiceIn(to, ['on', 'off']) === 'off';
    await setMuted(db, ctx.person.accountId, kind, isMuted);
    const muted = new Set(ctx.person.mutedNotices);
    if (isMuted) muted.add(kind);
    else muted.delete(kind);
    await ctx.talk.show(noticesScreen(ctx, muted));
  });

  /** The button below a notice. Shows no screen, so that the notice stays. */
  area.onPress('mute', async (ctx, chosen) => {
    await setMuted(db, ctx.person.accountId, choiceIn(chosen, NOTICE_KINDS), true);
    ctx.talk.toast(ctx.texts.notices.muted, { alert: true });
  });
  return area;
}

interface SendNoticesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly api: BotApi;
  readonly log: UpdatesLog;
}

/** Notices per batch. The lease is longer than sending a batch takes. */
const BATCH = 50;
const LEASE_SECONDS = 120;
/** A notice is dropped after this many attempts. */
const MAX_ATTEMPTS = 100;

/** The job: sends due notices to their owners. Returns how many messages were sent. */
export async function sendNotices(deps: SendNoticesDeps, signal: AbortSignal): Promise<number> {
  let sent = 0;
  while (!signal.aborted) {
    const now = deps.clock.now();
    const notices = await takeNotices(deps.db, { now, leaseSeconds: LEASE_SECONDS, limit: BATCH });
    for (const [index, notice] of notices.entries()) {
      const outcome = signal.aborted ? { kind: 'later' as const, seconds: 0 } : await send(deps, notice);
      if (outcome.kind === 'sent') sent += 1;
      if (outcome.kind !== 'later' || notice.attempts >= MAX_ATTEMPTS) {
        await forgetNotices(deps.db, [notice.id]);
        continue;
      }
      // Telegram is unreachable or limits us: the rest of the batch waits too.
      const rest = notices.slice(index).map(({ id }) => id);
      await postponeNotices(deps.db, rest, addSeconds(deps.clock.now(), outcome.seconds));
      return sent;
    }
    if (notices.length < BATCH) return sent;
  }
  return sent;
}

type Outcome = { kind: 'sent' } | { kind: 'unwanted' } | { kind: 'later'; seconds: number };

const RETRY_SECONDS = 60;

async function send({ db, api, log }: SendNoticesDeps, notice: Notice): Promise<Outcome> {
  const account = await findAccount(db, notice.accountId);
  // Muted since the notice was recorded.
  if (account === undefined || account.mutedNotices.has(notice.kind)) return { kind: 'unwanted' };
  try {
    const screen = noticeScreen(notice, account.language ?? account.seenLanguage ?? 'ru');
    await sendScreen(api.service, account.telegramUserId, screen);
    return { kind: 'sent' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'flood') return { kind: 'later', seconds: failure.retryAfterSeconds };
    if (failure.kind === 'unreachable') return { kind: 'later', seconds: RETRY_SECONDS };
    // The person never started the bot or blocked it, so another attempt would fail too.
    log.warn({ failure, notice: notice.id }, 'notice refused by Telegram; dropped');
    return { kind: 'unwanted' };
  }
}

/** Returns a notice with a button to its subject and one to mute its kind. */
function noticeScreen(notice: NewNotice, language: Language): Screen {
  const { notices } = TEXTS[language];
  return {
    text: textOf(notice, language, FORMATS[language]),
    rows: [linkFor(notice, language), [press(notices.mute, 'mute', notice.kind)]],
  };
}

function textOf(notice: NewNotice, language: Language, { rubles, count, plural }: Formats): Html {
  const { notices: texts, shared } = TEXTS[language];
  switch (notice.kind) {
    case 'subscriptions_reversed': {
      const { count: number, amount } = notice.data;
      return texts.subscriptionsReversed({ number, count: count(number), amount: rubles(BigInt(amount)), plural });
    }
    case 'order_paused': {
      const { accessLost, checkerLost, tokenLost } = shared.orders.pausedBecause;
      const { is_bot: isBot, checker } = notice.data;
      const lost = checker === undefined ? accessLost : checkerLost({ lost: checker });
      return texts.orderPaused({ ...notice.data, because: isBot ? tokenLost : lost });
    }
    case 'order_removals': {
      const { removals, ...order } = notice.data;
      return texts.orderRemovals({ ...order, number: removals, count: count(removals), plural });
    }
    case 'order_low_approval':
      return texts.orderLowApproval(notice.data);
    case 'order_completed': {
      const { subscribers, spent, ...order } = notice.data;
      return texts.orderCompleted({ ...order, subscribers: count(subscribers), spent: rubles(BigInt(spent)) });
    }
    case 'order_approved':
      return texts.orderApproved(notice.data);
    case 'order_rejected':
      return texts.orderRejected(notice.data);
    case 'chat_migrated':
      return texts.chatMigrated(notice.data);
    case 'order_link_changed':
      return texts.orderLinkChanged(notice.data);
    case 'payout_sent':
      return texts.payoutSent({ ...notice.data, amount: rubles(BigInt(notice.data.amount)) });
    case 'payout_returned':
      return texts.payoutReturned({ ...notice.data, amount: rubles(BigInt(notice.data.amount)) });
    case 'balance_credited':
      return texts.balanceCredited({ amount: rubles(BigInt(notice.data.amount)) });
    case 'source_level': {
      const { username, level } = notice.data;
      // The page of a bot without a score shows nothing about its quality.
      if (level === 'new') return texts.sourceUnscored({ username });
      return texts.sourceLevel({ username, level: QUALITY_TEXTS[language].levels[level] });
    }
    case 'contest_result': {
      const { name, rank, score, prize } = notice.data;
      const won = BigInt(prize) > 0n ? rubles(BigInt(prize)) : undefined;
      return texts.contestResult({ name, rank, score: count(score), prize: won });
    }
    case 'order_in_moderation':
      return texts.orderInModeration(notice.data);
    case 'webhook_disabled':
      return texts.webhookDisabled(notice.data);
    case 'case_opened': {
      const { case_id, case_kind } = notice.data;
      return texts.caseOpened({ case_id, kind: caseName(shared, case_kind), why: caseWhy(shared, case_kind) });
    }
    case 'case_decided': {
      const { case_id, case_kind, decision, reason } = notice.data;
      const canAnswer = decision !== 'cleared';
      const kind = caseName(shared, case_kind);
      return texts.caseDecided({ case_id, kind, decision: shared.cases.statuses[decision], reason, canAnswer });
    }
    case 'case_waits':
      return texts.caseWaits({ case_id: notice.data.case_id, kind: caseName(shared, notice.data.case_kind) });
    case 'case_answered':
      return texts.caseAnswered({ case_id: notice.data.case_id, kind: caseName(shared, notice.data.case_kind) });
    case 'checker_stopped':
      return texts.checkerStopped(notice.data);
    case 'checker_conflict':
      return texts.checkerConflict(notice.data);
  }
}

/** A notice of a newer version may name a kind that this version does not know. */
const caseName = ({ cases }: SharedTexts, kind: string): string =>
  (cases.kinds as Readonly<Record<string, string>>)[kind] ?? kind;
const caseWhy = ({ cases }: SharedTexts, kind: string): string =>
  (cases.why as Readonly<Record<string, string>>)[kind] ?? '';

function linkFor(notice: NewNotice, language: Language): readonly Button[] {
  const { open } = TEXTS[language].notices;
  switch (notice.kind) {
    case 'order_paused':
    case 'order_removals':
    case 'order_low_approval':
    case 'order_completed':
    case 'order_approved':
    case 'order_rejected':
    case 'chat_migrated':
    case 'order_link_changed':
      return [press(open.order, 'order', notice.data.order_id)];
    case 'payout_sent':
    case 'payout_returned':
    case 'balance_credited':
    case 'subscriptions_reversed':
      return [press(open.balance, 'balance')];
    case 'source_level':
      return [press(open.bot, 'bot', notice.data.bot_id)];
    case 'order_in_moderation':
      return [press(open.moderate, 'op.mod', notice.data.order_id)];
    case 'contest_result':
      return [press(open.contests, 'contests')];
    case 'case_opened':
    case 'case_decided':
      return [press(open.case, 'case', notice.data.case_id)];
    case 'case_waits':
    case 'case_answered':
      return [press(open.decide, 'op.case', notice.data.case_id)];
    case 'checker_stopped':
    case 'checker_conflict':
      return [press(open.checkers, 'op.checks')];
    case 'webhook_disabled':
      return [press(open.webhook, 'hook', notice.data.webhook_id)];
  }
}
