import { addSeconds, type Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { findAccount } from '../../../modules/accounts/index.ts';
import { forgetNotices, type Notice, postponeNotices, takeNotices } from '../../../modules/notices/index.ts';
import { type BotApi, failureOf } from '../../bot-api.ts';
import type { UpdatesLog } from '../../handle-update.ts';
import { keyboardOf } from '../screen.ts';
import { noticeScreen } from './notice-screen.ts';

export interface SendNoticesDeps {
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
    await api.service.sendMessage(account.telegramUserId, screen.text.source, {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      reply_markup: keyboardOf(screen),
    });
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
