import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { listRecipients, type Recipient } from '../accounts/index.ts';
import { claimBroadcast, putOff, recordPosted, type Sending, saveFinished } from './store.ts';

/** Sends one message through Telegram. */
export type Post = (telegramUserId: number, text: string) => Promise<PostOutcome>;

type PostOutcome =
  | { readonly kind: 'sent' }
  /** Telegram refuses messages to this user. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'flood'; readonly retryAfterSeconds: number }
  /** The request failed, and the message may or may not have arrived. */
  | { readonly kind: 'unreachable' };

export interface SendBroadcastsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly post: Post;
}

/** Telegram allows about 30 messages a second in total. The rest is left for replies to users of the bot. */
const PER_SECOND = 20;
/** The worker treats a job that runs longer as dead. The next run continues where this one ended. */
const RUN_MS = 45_000;
/** Much longer than one message takes. When the lease ends, another sender continues the broadcast. */
const LEASE_SECONDS = 30;
const RETRY_SECONDS = 15;
/** After this many failures the recipient is skipped, so that one recipient cannot block all later ones. */
const MAX_ATTEMPTS = 5;
const BATCH = 100;

/**
 * The job: sends waiting broadcasts one message at a time, at most 20 a second. Returns the number of sent messages.
 */
export async function sendBroadcasts(deps: SendBroadcastsDeps, signal: AbortSignal): Promise<number> {
  const run = { sender: randomUUID(), endsAtMs: performance.now() + RUN_MS, signal, turn: createTurns(signal) };
  let sent = 0;
  while (goesOn(run)) {
    const now = deps.clock.now();
    const sending = await claimBroadcast(deps.db, {
      sender: run.sender,
      now,
      leaseUntil: addSeconds(now, LEASE_SECONDS),
    });
    if (sending === undefined) break;
    const done = await sendOne(deps, run, sending);
    sent += done.sent;
    // A pause that Telegram requests applies to the other broadcasts too.
    if (done.end === 'put_off') break;
  }
  return sent;
}

interface Run {
  readonly sender: string;
  readonly endsAtMs: number;
  readonly signal: AbortSignal;
  turn(): Promise<void>;
}

const goesOn = ({ signal, endsAtMs }: Run): boolean => !signal.aborted && performance.now() < endsAtMs;

interface Done {
  readonly sent: number;
  readonly end: 'finished' | 'put_off' | 'taken_away';
}

async function sendOne({ db, clock, post }: SendBroadcastsDeps, run: Run, sending: Sending): Promise<Done> {
  let { lastAccountId: after, attempts } = sending;
  let sent = 0;
  for (;;) {
    const recipients = await listRecipients(db, { after, openedBy: sending.createdAt, limit: BATCH });
    if (recipients.length === 0) {
      await saveFinished(db, sending, clock.now());
      return { sent, end: 'finished' };
    }
    for (const recipient of recipients) {
      await run.turn();
      if (!goesOn(run)) {
        await putOff(db, sending, { until: clock.now(), attempts });
        return { sent, end: 'put_off' };
      }
      const outcome = await postTo(post, recipient, sending);
      const waitSeconds = patienceAfter(outcome, attempts);
      if (waitSeconds !== undefined) {
        if (outcome.kind === 'unreachable') attempts += 1;
        await putOff(db, sending, { until: addSeconds(clock.now(), waitSeconds), attempts });
        return { sent, end: 'put_off' };
      }
      attempts = 0;
      after = recipient.accountId;
      const isSent = outcome.kind === 'sent';
      if (isSent) sent += 1;
      const leaseUntil = addSeconds(clock.now(), LEASE_SECONDS);
      const isOurs = await recordPosted(db, sending, { accountId: after, isSent, leaseUntil });
      if (!isOurs) return { sent, end: 'taken_away' };
    }
  }
}

const postTo = (post: Post, { telegramUserId, language }: Recipient, { texts }: Sending): Promise<PostOutcome> =>
  post(telegramUserId, texts[language]);

/** Returns how many seconds to wait before a retry, or `undefined` when the message was sent or is given up. */
function patienceAfter(outcome: PostOutcome, attempts: number): number | undefined {
  switch (outcome.kind) {
    case 'sent':
    case 'refused':
      return undefined;
    case 'flood':
      return outcome.retryAfterSeconds;
    case 'unreachable':
      return attempts + 1 < MAX_ATTEMPTS ? RETRY_SECONDS : undefined;
  }
}

/** Returns a function that waits for the next send slot, so that no second has more than `PER_SECOND` messages. */
function createTurns(signal: AbortSignal): () => Promise<void> {
  let nextAtMs = 0;
  return async () => {
    const now = performance.now();
    const waitMs = Math.max(0, nextAtMs - now);
    nextAtMs = Math.max(nextAtMs, now) + 1000 / PER_SECOND;
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  };
}
